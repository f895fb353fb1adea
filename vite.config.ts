import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = `http://localhost:${process.env.PORT ?? 3000}`;

/** The web app: sources in `web/`, built into `dist/web/`, which the server serves. */
export default defineConfig({
  root: 'web',
  build: {
    outDir: '../dist/web',
    // `forgetOldBuilds` does it: a server that runs, and pages that are open, go on with the files of their own build.
    emptyOutDir: false,
    // Read by `scripts/check-first-loads.ts`; what begins with a dot is not served.
    manifest: true,
    target: 'es2023',
    rolldownOptions: {
      input: { index: 'web/index.html', early: 'web/early.ts' },
      // Each with all that it needs and those before it have not: on a slow network every file more is a wait more.
      output: {
        codeSplitting: {
          groups: [
            { name: 'early', test: /\/web\/early\.ts$/, priority: 5 },
            { name: 'index', test: /\/web\/main\.tsx$/, priority: 4 },
            { name: 'greeting', test: /\/web\/pages\/ChatOpening\.tsx$/, priority: 3 },
            { name: 'app', test: /\/web\/App\.tsx$/, priority: 2 },
            { name: 'chat', test: /\/web\/pages\/ChatPage\.tsx$/, priority: 1 },
          ],
        },
      },
    },
    // A data: URL as a font would be refused by the page's content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The PDF engine is one file of its own and loaded by the document page alone.
    chunkSizeWarningLimit: 1500,
  },
  plugins: [react(), preloadFonts(), precompress(), forgetOldBuilds()],
  server: {
    port: 5173,
    proxy: { '/v1': server, '/files': server, '/.well-known': server, '/readyz': server, '/dev': server },
  },
});

/** Asks for the two faces of every page with the page itself, or its text would move when they come. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /-latin-wght-normal-[^/]*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        })),
  };
}

/** Writes a .br and a .gz beside every file that compresses, so that the server never compresses while it answers. */
function precompress(): Plugin {
  const compressible = /\.(js|mjs|css|svg|json|wasm|bcmap)$/;
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir: folder }, bundle) {
      if (folder === undefined) return;
      const names = Object.keys(bundle).filter((name) => compressible.test(name));
      await Promise.all(names.map((name) => compress(join(folder, name))));
    },
  };
}

/** Milliseconds for which the files of a build stay after the next one. */
const oldBuildMs = 24 * 60 * 60 * 1000;

/** Deletes what builds before this one have left in `assets/`, whose names never come again, once nobody needs it. */
function forgetOldBuilds(): Plugin {
  return {
    name: 'forget-old-builds',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir: folder }) {
        if (folder === undefined) return;
        const assets = join(folder, 'assets');
        for (const name of await readdir(assets)) {
          const { mtimeMs } = await stat(join(assets, name));
          if (Date.now() - mtimeMs > oldBuildMs) await rm(join(assets, name));
        }
      },
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  // Below this a packet is a packet.
  if (bytes.length < 1024) return;
  const [smallest, small] = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    gzipped(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, smallest), writeFile(`${path}.gz`, small)]);
}
