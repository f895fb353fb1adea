import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';

/** Made of the contract by `node scripts/docs.ts`. */
const file = new URL('../../docs/openapi.json', import.meta.url);

/** One way in which the document can be sent, made once. */
interface Sent {
  bytes: Buffer;
  etag: string;
}
type Encoding = 'br' | 'gzip' | 'identity';

/**
 * The API document at `/openapi.json`, for everybody and from pages of any origin: what can be called is no secret. It
 * is read when it is first asked for, so that no start waits for it, and is the same bytes from then on.
 */
export function registerApiDocument(
  http: FastifyInstance,
  { publicUrl, branding }: Pick<Config, 'publicUrl' | 'branding'>,
): void {
  let made: Promise<Record<Encoding, Sent>> | undefined;
  const document = () => {
    made ??= makeReady(publicUrl, branding.name).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  http.get('/openapi.json', async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    const { bytes, etag } = (await document())[encoding];
    void reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .header('etag', etag)
      .header('vary', 'accept-encoding');
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
}

/** The document with the operator's name and address in it, as programs import it. */
async function makeReady(publicUrl: string, product: string): Promise<Record<Encoding, Sent>> {
  const { info, servers: _, ...rest } = JSON.parse(await readFile(file, 'utf8'));
  const { openapi, ...parts } = rest;
  const document = {
    openapi,
    info: { ...info, title: `${product} API` },
    servers: [{ url: new URL('/v1', publicUrl).href, description: product }],
    ...parts,
  };
  const bytes = Buffer.from(JSON.stringify(document));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, quality), promisify(gzip)(bytes)]);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return {
    br: { bytes: br, etag: `"${hash}-br"` },
    gzip: { bytes: gz, etag: `"${hash}-gzip"` },
    identity: { bytes, etag: `"${hash}"` },
  };
}

/** The smallest of those that are asked for by name; one that is refused by `q=0` is not. */
function encodingFor(accepted = ''): Encoding {
  const asked = accepted.split(',').map((each) => each.trim().replaceAll(' ', '').toLowerCase());
  const takes = (name: string) =>
    asked.some((each) => each === name || (each.startsWith(`${name};q=`) && !/;q=0(\.0*)?$/.test(each)));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
