import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Browser {
  executablePath: string;
  env: Record<string, string>;
}

/**
 * A Chromium for the tests that needs nothing installed: npm carries one, with the libraries and fonts that a bare
 * machine lacks. `CHROMIUM` names another.
 */
export async function findBrowser(): Promise<Browser> {
  const own = process.env.CHROMIUM;
  if (own !== undefined) return { executablePath: own, env: currentEnvironment() };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('Please set CHROMIUM to the path of a Chromium: npm carries one for Linux on x64 only.');
  }
  const folder = resolve('.cache', 'chromium');
  mkdirSync(folder, { recursive: true });
  // The package unpacks to the temporary folder, where one user's copy locks out every other.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    const archives = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
    const executablePath = await chromium.executablePath();
    const libraries = await inflate(join(archives, 'al2023.tar.br'));
    const fonts = join(folder, 'fonts');
    return {
      executablePath,
      env: {
        ...currentEnvironment(),
        // They would come before the system's own, so only where those are missing.
        ...(lacksLibraries(executablePath) ? { LD_LIBRARY_PATH: join(libraries, 'lib') } : {}),
        ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: fonts }),
      },
    };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

function lacksLibraries(executable: string): boolean {
  return spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout?.includes('not found') ?? true;
}

function currentEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
