import type { Readable } from 'node:stream';
import { create as disposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { Access } from '#server/calls/access.ts';
import { type HeldAccess, holdAccess } from '#server/calls/held-access.ts';
import { onceClosed } from '#server/calls/once-closed.ts';
import { sendAsText } from '#server/calls/text-errors.ts';
import { type ByteRange, byteRange, namesTag } from '#server/lib/byte-range.ts';
import { FileAbsent, type FileStore } from '#server/ports/files/port.ts';
import type { FileLinks, LinkedFile } from './file-links.ts';

/**
 * `GET /files/<token>`: the bytes of an original, behind a signed link. What a company uploads must never run in our
 * origin: scripts are forbidden, HTML is shown in an origin of its own, and what no browser shows is a download.
 */
export function mountFiles(
  server: FastifyInstance,
  { links, files, access }: { links: FileLinks; files: FileStore; access: Access },
): void {
  server.route<{ Params: { token: string } }>({
    // A HEAD that the framework makes of the GET says that there are 0 bytes.
    method: ['GET', 'HEAD'],
    url: '/files/:token',
    handler: async (request, reply) => {
      try {
        const { token } = request.params;
        const held = await holdAccess(request, reply, links.holderOf(token), access, { looksAgain: true });
        onceClosed(reply, await links.watch(token, held.end));
        const file = await links.open(token);
        return await sendFile({ request, reply, held }, file, files);
      } catch (error) {
        return sendAsText(reply, error);
      }
    },
  });
}

async function sendFile(
  { request, reply, held }: { request: FastifyRequest; reply: FastifyReply; held: HeldAccess },
  file: LinkedFile,
  files: FileStore,
): Promise<FastifyReply> {
  const { method, headers } = request;
  // A version's bytes never change.
  const tag = `"${file.sha256}"`;
  if (namesTag(headers['if-none-match'], tag)) return protect(reply, file).header('ETag', tag).code(304).send();
  // A range is asked for by GET alone, and of the very bytes that the client has the rest of.
  const partly = method === 'GET' && (headers['if-range'] ?? tag) === tag;
  const range = partly ? byteRange(headers.range, file.size) : null;
  if (range === 'unsatisfiable') return reply.code(416).header('Content-Range', `bytes */${file.size}`).send();
  const content = method === 'HEAD' ? undefined : await bytesOf(files, file, range);
  try {
    held.beginSending();
  } catch (error) {
    content?.destroy();
    throw error;
  }
  protect(reply, file)
    .header('ETag', tag)
    .header('Accept-Ranges', 'bytes')
    .header('Content-Length', range ? range.end - range.start + 1 : file.size);
  if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  return reply.send(content);
}

/** @throws AppError `file-not-found` where the file was erased just now */
async function bytesOf(files: FileStore, { objectKey }: LinkedFile, range: ByteRange | null): Promise<Readable> {
  try {
    return await files.get(objectKey, range ?? undefined);
  } catch (cause) {
    if (cause instanceof FileAbsent) throw new AppError('file-not-found', { cause });
    throw cause;
  }
}

/** How each kind of file is shown; any other is a download. */
const shown: Record<string, string> = {
  'application/pdf': 'application/pdf',
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'text/html': 'text/html; charset=utf-8',
  'text/markdown': 'text/plain; charset=utf-8',
  'text/plain': 'text/plain; charset=utf-8',
};

function protect(reply: FastifyReply, { name, mediaType }: LinkedFile): FastifyReply {
  const type = shown[mediaType];
  // `sandbox` gives the page an origin of its own. Browsers refuse to show a PDF in one; a PDF runs in their viewer.
  const policy = mediaType === 'application/pdf' ? "object-src 'self'" : 'sandbox';
  return reply
    .header('Content-Type', type ?? mediaType)
    .header('Content-Disposition', disposition(name, { type: type ? 'inline' : 'attachment', fallback: false }))
    .header(
      'Content-Security-Policy',
      `default-src 'none'; ${policy}; script-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    )
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'private, no-store');
}
