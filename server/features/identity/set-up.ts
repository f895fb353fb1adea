import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import { companies } from '#server/db/schema.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';

/** The code without which nobody takes an instance that others can reach; null where none is needed. */
export function setUpCode(
  config: Pick<Config, 'signup' | 'host' | 'publicUrl'>,
  secretOf: (purpose: 'set-up') => Promise<Uint8Array>,
): Promise<string | null> {
  if (config.signup === 'open' || servesThisMachineAlone(config)) return Promise.resolve(null);
  return secretOf('set-up').then((secret) => Buffer.from(secret).toString('base64url'));
}

/** The link to print at the start, as long as nobody has created the company. */
export async function setUpLink(db: Database, publicUrl: string, code: string | null): Promise<string | null> {
  if (code === null || (await db.asSystem(anyCompany))) return null;
  return `${publicUrl}/signup?setupCode=${code}`;
}

/** Whether it is the right one, in the same time for any. */
export function isSetUpCode(given: string | undefined, right: string): boolean {
  const hashOf = (code: string) => createHash('sha256').update(code).digest();
  return timingSafeEqual(hashOf(given ?? ''), hashOf(right));
}

/** Whether anybody has signed up here. */
export async function anyCompany(tx: Tx): Promise<boolean> {
  return (await tx.select({ id: companies.id }).from(companies).limit(1)).length > 0;
}
