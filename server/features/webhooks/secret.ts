import { createHmac, randomBytes } from 'node:crypto';

const start = 'whsec_';
const secretBytes = 32;

/** A secret as Standard Webhooks write it: `whsec_` and its bytes in base64. */
export function newSecret(): string {
  return start + randomBytes(secretBytes).toString('base64');
}

/** What a webhook's secrets are sealed for: copied to another webhook they are of no use. */
export function webhookSealedFor({ companyId, id }: { companyId: string; id: string }): string {
  return `webhook ${companyId} ${id}`;
}

/**
 * The headers that say what is sent, when, and that it is ours: a signature for each secret, as both hold while one is
 * changed.
 * @param id the same at every attempt, by which a receiver knows what it has had already
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(start.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
