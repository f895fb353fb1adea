import { Readable } from 'node:stream';
import { create as disposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '#server/calls/access.ts';
import { type HeldAccess, holdAccess } from '#server/calls/held-access.ts';
import { sendAsText } from '#server/calls/text-errors.ts';
import type { Database } from '#server/db/db.ts';
import { byteRange, namesTag } from '#server/lib/byte-range.ts';
import type { FileStore } from '#server/ports/files/port.ts';
import { exportBytes } from './bytes.ts';
import type { ExportLinks, LinkedExport } from './links.ts';

interface Deps {
  db: Database;
  files: FileStore;
  store: FileStore;
  links: ExportLinks;
  access: Access;
}

/** `GET /exports/<token>`: the bytes of a finished export, behind a signed link; parts of it may be asked for. */
export function mountExports(server: FastifyInstance, deps: Deps): void {
  server.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/exports/:token',
    handler: async (request, reply) => {
      try {
        const { token } = request.params;
        const held = await holdAccess(request, reply, deps.links.holderOf(token), deps.access);
        return send({ request, reply, held }, await deps.links.open(token), deps);
      } catch (error) {
        return sendAsText(reply, error);
      }
    },
  });
}

function send(
  { request, reply, held }: { request: FastifyRequest; reply: FastifyReply; held: HeldAccess },
  linked: LinkedExport,
  deps: Deps,
): FastifyReply {
  const { method, headers } = request;
  const { exportId, generation, size } = linked;
  // What it is made of never changes; a deletion makes another generation of it.
  const tag = `"${exportId}.${generation}"`;
  reply
    .header('ETag', tag)
    .header('Content-Type', 'application/zip')
    .header('Content-Disposition', disposition(nameOf(linked), { type: 'attachment', fallback: 'export.zip' }))
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'private, no-store');
  if (namesTag(headers['if-none-match'], tag)) return reply.code(304).send();
  // A range is asked for by GET alone, and of the very bytes that the client has the rest of.
  const partly = method === 'GET' && (headers['if-range'] ?? tag) === tag;
  const range = partly ? byteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') return reply.code(416).header('Content-Range', `bytes */${size}`).send();
  held.beginSending();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  reply.header('Accept-Ranges', 'bytes').header('Content-Length', end - start + 1);
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`);
  if (method === 'HEAD') return reply.send();
  return reply.send(Readable.from(exportBytes(deps, linked, { start, end }), { objectMode: false }));
}

/** `Nordwind GmbH 2026-11-22.zip` */
function nameOf({ companyName, isOwn, readyAt }: LinkedExport): string {
  const name = companyName.replace(/[\p{Cc}<>:"/\\|?*]/gu, '_').slice(0, 80);
  return `${name} ${isOwn ? 'my data ' : ''}${readyAt.toISOString().slice(0, 10)}.zip`;
}
