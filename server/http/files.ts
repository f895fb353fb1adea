import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError, httpStatus } from '#contract/errors.ts';
import type { FileLinks, LinkedFile } from '#server/features/documents/file-links.ts';
import type { FileStore } from '#server/ports/files/port.ts';

/**
 * `GET /files/<token>`: the bytes of an original, behind a signed link. What a company uploads must never run in our
 * origin: scripts are forbidden, HTML is shown in an origin of its own, and what no browser shows is a download.
 */
export function mountFiles(server: FastifyInstance, { links, files }: { links: FileLinks; files: FileStore }): void {
  server.get<{ Params: { token: string } }>('/files/:token', async (request, reply) => {
    let file: LinkedFile;
    try {
      file = await links.open(request.params.token);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return reply.code(httpStatus[error.status]).type('text/plain; charset=utf-8').send(error.message);
    }
    protect(reply, file);
    const range = byteRange(request.headers.range, file.size);
    if (range === 'unsatisfiable') return reply.code(416).header('Content-Range', `bytes */${file.size}`).send();
    reply.header('Accept-Ranges', 'bytes');
    reply.header('Content-Length', range ? range.end - range.start + 1 : file.size);
    if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    if (request.method === 'HEAD') return reply.send();
    return reply.send(await files.get(file.objectKey, range ?? undefined));
  });
}

/** How each kind of file is shown; any other is a download. */
const shown: Record<string, string> = {
  'application/pdf': 'application/pdf',
  'text/html': 'text/html; charset=utf-8',
  'text/markdown': 'text/plain; charset=utf-8',
  'text/plain': 'text/plain; charset=utf-8',
};

function protect(reply: FastifyReply, { name, mediaType }: LinkedFile): void {
  const type = shown[mediaType];
  // `sandbox` gives the page an origin of its own. Browsers refuse to show a PDF in one; a PDF runs in their viewer.
  const policy = mediaType === 'application/pdf' ? "default-src 'none'; object-src 'self'" : 'sandbox';
  reply
    .header('Content-Type', type ?? mediaType)
    .header('Content-Disposition', `${type ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`)
    .header(
      'Content-Security-Policy',
      `${policy}; script-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
    )
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'private, no-store');
}

/** RFC 8187: what encodeURIComponent leaves but the header does not allow. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** One range of RFC 9110, section 14; null when the whole is asked for (several ranges count as that, too). */
function byteRange(header: string | undefined, size: number): { start: number; end: number } | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, from = '', to = ''] = match;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
