import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client as Calls } from '#client/client.ts';

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

/**
 * Whether the client, which stays open, is told of a document of a restricted collection: as its person has no part in
 * it, is let in, is taken out, becomes an admin, and is none any more.
 * @param word which that document alone has
 */
export async function seenAsRightsChange(
  client: Client,
  asAdmin: Calls,
  { uid, collectionId, hidden, word }: { uid: string; collectionId: string; hidden: string; word: string },
): Promise<boolean[]> {
  const board = { collectionId, name: 'Board', access: 'restricted' } as const;
  const changes = [
    () => asAdmin.call('updateCollection', { ...board, userIds: [uid] }),
    () => asAdmin.call('updateCollection', { ...board, userIds: [] }),
    () => asAdmin.call('setUserRole', { uid, role: 'admin' }),
    () => asAdmin.call('setUserRole', { uid, role: 'member' }),
  ];
  const sees = async () =>
    JSON.stringify(await client.callTool({ name: 'fetch', arguments: { id: hidden } })).includes(word);
  const seen = [await sees()];
  for (const change of changes) {
    await change();
    seen.push(await sees());
  }
  return seen;
}
