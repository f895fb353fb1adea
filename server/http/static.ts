import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accentColours, accentVariables } from '#contract/accent.ts';
import type { Branding } from '#contract/calls/identity.ts';
import { AppError } from '#contract/errors.ts';
import type { Config } from '#server/config/config.ts';
import { escapeHtml } from '#server/lib/html.ts';
import { sendError } from './calls.ts';

const noncePlaceholder = '__CSP_NONCE__';
/** Also as it is precompressed. */
const pdfWorker = /[/\\]pdf\.worker[^/\\]*\.mjs(\.\w+)?$/;
const notBuilt = 'The web app is not built yet. Run "npm start", which builds it, or "npm run build:web".\n';

/**
 * The built web app: its files, and its page for every address that the browser's router knows. Answers 404 as JSON
 * where no page can be meant.
 * @param brandingAt how the pages of a host name show the product; never fails
 */
export async function registerWeb(
  http: FastifyInstance,
  root: string,
  { config, brandingAt }: { config: Pick<Config, 'branding'>; brandingAt: (host: string) => Promise<Branding> },
): Promise<void> {
  const built = existsSync(join(root, 'index.html'));
  const page = built ? await readFile(join(root, 'index.html'), 'utf8') : null;
  const { logoUrl } = config.branding;
  const pictures = logoUrl === undefined ? '' : ` ${new URL(logoUrl).origin}`;
  const send = async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, page === null ? null : branded(page, await brandingAt(request.hostname.toLowerCase())), pictures);
  if (built) {
    const assets = join(root, 'assets') + sep;
    await http.register(serveFiles, {
      root,
      index: false,
      // Lists the files once: an address that is none of them is the router's.
      wildcard: false,
      globIgnore: ['**/*.html', '**/*.br', '**/*.gz', '**/*.map'],
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        // Names below assets/ carry the hash of their content.
        const hashed = path.startsWith(assets);
        void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
        // A worker is bound by the policy of its own response. Only that of the PDF engine may compile WebAssembly: its
        // decoders of scanned pages are written in it, and without them such a page is blank.
        const wasm = hashed && pdfWorker.test(path);
        void reply.header('content-security-policy', policy({ wasm }));
      },
    });
    http.get('/', send);
  }
  http.setNotFoundHandler((request, reply) =>
    isPage(request) ? send(request, reply) : sendError(reply, new AppError('unknown-call')),
  );
}

function isPage({ method, url }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '/';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return (
    (method === 'GET' || method === 'HEAD') &&
    !/^\/(v1|mcp|assets|dev|\.well-known)(\/|$)/.test(path) &&
    !last.includes('.')
  );
}

/**
 * The page with the name of the product, which the tab says before a script runs and the scripts read there, and with
 * the accent of the company whose host name it is, so that nothing is painted twice.
 */
function branded(page: string, { name, accent }: Pick<Branding, 'name' | 'accent'>): string {
  const escaped = escapeHtml(name);
  return page
    .replace(/(<title>)[^<]*/, (_, start: string) => start + escaped)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start: string) => start + escaped)
    .replace('</head>', (end) => accentStyle(accent) + end);
}

/** Behind the style sheets, and for browsers that know colours by day and by night. */
function accentStyle(accent: string | undefined): string {
  const colours = accent === undefined ? null : accentColours(accent);
  if (!colours) return '';
  const both = accentVariables.map(
    ([part, variable]) => `${variable}:light-dark(${colours.light[part]},${colours.dark[part]})`,
  );
  return `<style id="host-accent" nonce="${noncePlaceholder}">@supports (color:light-dark(#fff,#000)){html:root{${both.join(';')}}}</style>`;
}

function sendPage(reply: FastifyReply, page: string | null, pictures: string): FastifyReply {
  if (page === null) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
  const nonce = randomBytes(18).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy({ nonce, pictures }))
    .send(page.replaceAll(noncePlaceholder, nonce));
}

/**
 * What the page may do. Styles made while it runs carry the page's nonce; scripts are files of ours only.
 *
 * @param pictures an origin beside ours whose pictures it may show, with a space before it
 */
function policy({ nonce = '', wasm = false, pictures = '' }: { nonce?: string; wasm?: boolean; pictures?: string }) {
  return [
    "default-src 'none'",
    `script-src 'self'${wasm ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    `img-src 'self' data: blob:${pictures}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
