import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Subscription } from '#contract/entitlements.ts';
import type { Role } from '#contract/permissions.ts';
import type { Database } from '#server/db/db.ts';
import { sql } from '#server/db/drizzle.ts';
import { blocks, documents, identityAccounts, queries, subscriptions, users, versions } from '#server/db/schema.ts';

/** A password that the policy takes. */
export const goodPassword = 'violet anchors drift 71';

export function uniqueEmail(name = 'person'): string {
  return `${name}-${randomUUID().slice(0, 8)}@example.com`;
}

/** Puts a person who can sign in into a company, or one who is invited, past the calls. */
export async function insertUser(
  db: Database,
  companyId: string,
  {
    role = 'member',
    email = uniqueEmail(role),
    invitationExpiresAt = null,
  }: { role?: Role; email?: string; invitationExpiresAt?: Date | null } = {},
): Promise<{ uid: string; email: string }> {
  const id = randomUUID();
  // Cheap to compute: tests sign many people in, and the cost is not what they test.
  const passwordHash = await hash(goodPassword, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  await db.asSystem(async (tx) => {
    await tx.insert(identityAccounts).values({ uid: id, email, passwordHash, claims: { role, companyId } });
    const tokensValidSince = new Date(0);
    const state = invitationExpiresAt ? 'invited' : 'active';
    const emailConfirmedAt = invitationExpiresAt ? null : new Date();
    const invitation = {
      state,
      emailConfirmedAt,
      invitationExpiresAt,
      invitedAt: invitationExpiresAt && new Date(),
    } as const;
    await tx.insert(users).values({ companyId, id, providerUid: id, email, role, tokensValidSince, ...invitation });
  });
  return { uid: id, email };
}

/**
 * From now on whoever signs up is confirmed at once, and gets no mail for it: what tests are about comes after that.
 * Those of the confirmation itself take it back.
 */
export async function confirmSignUps(db: Database): Promise<void> {
  await db.asSystem(async (tx) => {
    await tx.execute(sql`create or replace function confirmed() returns trigger language plpgsql as
      $$ begin if new.state = 'active' then new.email_confirmed_at := now(); end if; return new; end $$`);
    await tx.execute(
      sql`create or replace trigger confirmed before insert on users for each row execute function confirmed()`,
    );
  });
}

export async function leaveSignUpsUnconfirmed(db: Database): Promise<void> {
  await db.asSystem((tx) => tx.execute(sql`drop trigger confirmed on users`));
}

/** Writes a subscription down as the payment provider's events will. */
export async function writeSubscription(
  db: Database,
  companyId: string,
  subscription: Partial<Subscription> & Pick<Subscription, 'state'>,
): Promise<void> {
  await db.asSystem((tx) =>
    tx
      .insert(subscriptions)
      .values({ companyId, ...subscription })
      .onConflictDoUpdate({ target: subscriptions.companyId, set: subscription }),
  );
}

export interface InsertedDocument {
  documentId: string;
  name: string;
  path: string;
  uploadId: string;
}

/** Puts a document of one paragraph into a company's tables, past the upload; its bytes and search rows are absent. */
export async function insertDocument(
  db: Database,
  company: { id: string },
  { state = 'ready', text = 'Nothing of note.' }: { state?: 'ready' | 'failed'; text?: string } = {},
): Promise<InsertedDocument> {
  const companyId = company.id;
  const [documentId, uploadId] = [randomUUID(), randomUUID()];
  const name = `${documentId}.txt`;
  const version = 1;
  await db.asSystem(async (tx) => {
    await tx.insert(documents).values({
      companyId,
      id: documentId,
      name,
      nameKey: name,
      currentVersion: state === 'ready' ? version : null,
      newestVersion: version,
    });
    await tx.insert(versions).values({
      companyId,
      documentId,
      version,
      state,
      mediaType: 'text/plain',
      size: text.length,
      sha256: '0'.repeat(64),
      objectKey: `${companyId}/${uploadId}`,
      uploadId,
      uploadedBy: randomUUID(),
    });
    await tx
      .insert(blocks)
      .values({ companyId, documentId, version, index: 0, kind: 'paragraph', text, start: 0, end: text.length });
  });
  return { documentId, name, path: `${companyId}/${name}`, uploadId };
}

/** Puts an answer that somebody got into the tables; gives its id. */
export async function insertAnswer(db: Database, whose: { companyId: string; userId: string }): Promise<string> {
  const id = randomUUID();
  const words = { question: 'Where is the key?', answer: 'I do not know.', answered: false };
  await db.asSystem((tx) => tx.insert(queries).values({ ...whose, ...words, id, durationMs: 1 }));
  return id;
}
