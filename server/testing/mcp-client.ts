import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The revisions of the protocol that are served: the present one, and those that begin with a handshake. */
export const eras = ['modern', 'legacy'] as const;
export type Era = (typeof eras)[number];

/** The official client, connected. @param key null: none is sent. @throws what connecting is refused with */
export async function connectMcp(url: string, key: string | null, era: Era = 'modern'): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Sends one message as it is, as no well-behaved client would. */
export function postMcp(
  url: string,
  body: string | object,
  { key, ...more }: { key?: string } & Record<string, string | undefined> = {},
): Promise<Response> {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) headers.set(name, value);
  return fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}
