import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '#server/db/db.ts';
import { count, eq } from '#server/db/drizzle.ts';
import { oauthClients } from '#server/db/schema.ts';
import type { Outbound } from '#server/lib/outbound.ts';

/** A program that may ask to be connected: what is known of it is what it says itself. */
export interface AppClient {
  id: string;
  name: string;
  redirectUris: readonly string[];
}

/** What is wrong with what a program says of itself, by its name in RFC 7591. */
export class ClientProblem extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata' | 'temporarily_unavailable';

  constructor(code: ClientProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Registrations are open to anybody, so that there is an end to how many are kept (`sweep.ts` removes unused ones).
 */
const maxClients = 10_000;
const maxAddress = 512;
const documentKeptMs = 3_600_000;

/** No text of the database can have it. */
export const unheld = '\0';

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Where an answer may be sent: to a site by https, or to a program on the person's own machine. */
function isRedirectUri(address: string): boolean {
  // What a browser would leave out, or the database can't hold, is no part of an address.
  if (!URL.canParse(address) || /[#\s\p{C}]/u.test(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return loopback.has(hostname) ? protocol === 'http:' : protocol === 'https:';
}

/** The host name of such an address, and whether it is the person's own machine. */
export function placeOf(redirectUri: string): { address: string; onThisMachine: boolean } {
  const { host, hostname } = new URL(redirectUri);
  return { address: host, onThisMachine: loopback.has(hostname) };
}

/** What is not named here is left aside: logos and links of strangers are shown to nobody. */
const metadata = z.object({
  // Signs that are not seen, or turn the direction, would make a name look like another.
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
    .optional(),
  redirect_uris: z.array(z.string().max(maxAddress).refine(isRedirectUri)).min(1).max(10),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
});

function clientOf(id: string, said: unknown): AppClient {
  const { data, error } = metadata.safeParse(said);
  if (error) {
    const isRedirect = error.issues.every(({ path }) => path[0] === 'redirect_uris');
    throw new ClientProblem(
      isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      isRedirect
        ? 'redirect_uris must be 1 to 10 addresses with https, or with http on 127.0.0.1, [::1] or localhost.'
        : `This is not valid: ${[...new Set(error.issues.map(({ path }) => String(path[0] ?? 'the document')))].join(', ')}.`,
    );
  }
  const { grant_types = ['authorization_code'], response_types = ['code'], redirect_uris } = data;
  if (!grant_types.includes('authorization_code') || !response_types.includes('code'))
    throw new ClientProblem('invalid_client_metadata', 'Only the authorization code is given here.');
  const name = data.client_name ?? placeOf(redirect_uris[0] ?? '').address;
  return { id, name, redirectUris: [...new Set(redirect_uris)] };
}

/** Whether an id is the address of a document that says what the program is. */
export function isDocumentAddress(id: string): boolean {
  if (!id.startsWith('https://') || id.length > maxAddress || !URL.canParse(id)) return false;
  const { pathname, hash, username, password, href } = new URL(id);
  // Written as it is read, so that one program has one id: no dots to walk by, no other case, no port that goes without
  // saying.
  return pathname !== '/' && hash === '' && username === '' && password === '' && href === id;
}

/** Programs that have registered, and those whose id is where they say what they are. */
export function createClients({ db, outbound, newId }: { db: Database; outbound: Outbound; newId: () => string }) {
  const documents = new LRUCache<string, AppClient>({ max: 500, ttl: documentKeptMs });

  /** @param said as RFC 7591 has it @throws ClientProblem */
  async function register(said: unknown): Promise<AppClient & { createdAt: Date }> {
    const client = clientOf(newId(), said);
    const { id, name } = client;
    const createdAt = await db.asSystem(async (tx) => {
      const [kept] = await tx.select({ all: count() }).from(oauthClients);
      if ((kept?.all ?? 0) >= maxClients)
        throw new ClientProblem(
          'temporarily_unavailable',
          'Too many programs have registered. Please try again later.',
        );
      const values = { id, name, redirectUris: [...client.redirectUris] };
      const [row] = await tx.insert(oauthClients).values(values).returning();
      return row?.createdAt ?? new Date();
    });
    return { ...client, createdAt };
  }

  /** @throws ClientProblem where its document can't be read, or is not what it has to be */
  async function find(id: string): Promise<AppClient | null> {
    if (isDocumentAddress(id)) return documentAt(id);
    if (id.includes(unheld)) return null;
    const [row] = await db.asSystem((tx) => tx.select().from(oauthClients).where(eq(oauthClients.id, id)));
    return row ?? null;
  }

  async function documentAt(id: string): Promise<AppClient> {
    const known = documents.get(id);
    if (known) return known;
    const said = await outbound(id, { headers: { accept: 'application/json' } })
      .then((answer) => (answer.status === 200 ? answer.json() : null))
      .catch(() => null);
    const isOwn = typeof said === 'object' && said !== null && 'client_id' in said && said.client_id === id;
    if (!isOwn) throw new ClientProblem('invalid_client_metadata', 'The document at client_id could not be read.');
    // Nobody has a secret here, and none that both sides know may stand in a document that all can read.
    const { token_endpoint_auth_method: method = 'none' } = said as { token_endpoint_auth_method?: unknown };
    if (method !== 'none' || 'client_secret' in said)
      throw new ClientProblem(
        'invalid_client_metadata',
        'Only public clients are let in: token_endpoint_auth_method is none.',
      );
    const client = clientOf(id, said);
    documents.set(id, client);
    return client;
  }

  return { register, find };
}

export type Clients = ReturnType<typeof createClients>;
