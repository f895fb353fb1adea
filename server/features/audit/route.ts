import type { Readable } from 'node:stream';
import { create as disposition } from 'content-disposition';
import type { FastifyInstance } from 'fastify';
import type { Access } from '#server/calls/access.ts';
import { holdAccess, type LinkHolder } from '#server/calls/held-access.ts';
import { sendAsText } from '#server/calls/text-errors.ts';

const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

export interface AuditFile {
  name: string;
  format: keyof typeof types;
  content: Readable;
}

export interface AuditLinks {
  open: (token: string) => Promise<AuditFile>;
  holderOf: (token: string) => LinkHolder | null;
}

/** `GET /audit/<token>`: the events behind a signed link as a file, of whatever length. */
export function mountAuditFiles(
  server: FastifyInstance,
  { open, holderOf, access }: AuditLinks & { access: Access },
): void {
  server.get<{ Params: { token: string } }>('/audit/:token', { exposeHeadRoute: false }, async (request, reply) => {
    try {
      const { token } = request.params;
      const held = await holdAccess(request, reply, holderOf(token), access);
      const { name, format, content } = await open(token);
      held.beginSending();
      return await reply
        .header('Content-Type', types[format])
        .header('Content-Disposition', disposition(name))
        .header('X-Content-Type-Options', 'nosniff')
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .header('Cache-Control', 'private, no-store')
        .send(content);
    } catch (error) {
      return sendAsText(reply, error);
    }
  });
}
