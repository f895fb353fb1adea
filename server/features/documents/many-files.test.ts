import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { asc, eq } from '#server/db/drizzle.ts';
import { auditEvents, versions } from '#server/db/schema.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { insertDocument } from '#server/testing/factories.ts';

const filesOf = ({ client }: Company) => client.call('getCompanyFiles', null);
const namesOf = async (company: Company) => (await filesOf(company)).map(({ name }) => name);
const insert = (company: Company, state?: 'ready' | 'failed') =>
  insertDocument(company.app.app.db, company, state ? { state } : {});

/** What the log tells of files, in order. */
function auditOf({ app, id }: Company) {
  return app.app.db.asCompany(id, async (tx) => {
    const events = await tx.select().from(auditEvents).orderBy(asc(auditEvents.at));
    return events.filter(({ action }) => action.startsWith('file-')).map(({ action, target }) => [action, target]);
  });
}

describe('many files at once', () => {
  test('are deleted each for itself, with a line in the log; what is gone or of others is left out', async ({
    app,
    company,
  }) => {
    const other = await newCompany(app);
    const [one, two, kept, theirs] = [
      await insert(company),
      await insert(company),
      await insert(company),
      await insert(other),
    ];
    const mail = Buffer.from(
      'From: a@example.com\r\nSubject: Plan\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n' +
        '--x\r\nContent-Type: text/plain\r\n\r\nSee the plan.\r\n' +
        '--x\r\nContent-Type: text/plain; name=plan.txt\r\nContent-Disposition: attachment; filename=plan.txt\r\n\r\n' +
        'The plan.\r\n--x--\r\n',
    );
    const { documentId: mailId } = await company.client.upload('mail.eml', mail);
    await app.idle();
    const attached = (await filesOf(company)).find(({ attachedTo }) => attachedTo === mailId);
    expect(attached?.name).toBe('mail.eml › plan.txt');
    const before = (await auditOf(company)).length;

    const documentIds = [one, two, theirs].map(({ documentId }) => documentId);
    const asked = [...documentIds, one.documentId, mailId, attached?.id ?? '', randomUUID()];
    expect(await company.client.call('deleteFiles', { documentIds: asked })).toEqual({ changed: 3, refused: [] });
    expect(await namesOf(company)).toEqual([kept.name]);
    expect(await namesOf(other)).toEqual([theirs.name]);
    expect((await auditOf(company)).slice(before)).toEqual([
      ['file-deleted', one.name],
      ['file-deleted', two.name],
      ['file-deleted', 'mail.eml'],
    ]);
    expect(await company.client.call('deleteFiles', { documentIds: asked })).toEqual({ changed: 0, refused: [] });
  });

  test('are read once more, but for those that need it not: they are named with the reason', async ({
    app,
    company,
  }) => {
    const ready = await insert(company);
    const failed = [await insert(company, 'failed'), await insert(company, 'failed')];
    const documentIds = [ready, ...failed].map(({ documentId }) => documentId);
    expect(await company.client.call('retryFiles', { documentIds })).toEqual({
      changed: 2,
      refused: [
        {
          documentId: ready.documentId,
          message: 'Only a file that failed or was partly readable can be tried again.',
        },
      ],
    });
    const attempts = await app.app.db.asCompany(company.id, (tx) =>
      tx.select({ attempt: versions.attempt }).from(versions).where(eq(versions.companyId, company.id)),
    );
    expect(attempts.map(({ attempt }) => attempt).toSorted()).toEqual([1, 2, 2]);
    await app.idle();
  });

  test('get tags beside their own and lose others; one that would have too many is named', async ({ company }) => {
    const [plain, full] = [await insert(company), await insert(company)];
    const { call } = company.client;
    await call('setFileTags', { documentId: plain.documentId, tags: ['Draft', '2025'] });
    const twenty = Array.from({ length: 20 }, (_, i) => `tag ${i}`);
    await call('setFileTags', { documentId: full.documentId, tags: twenty });
    const documentIds = [plain.documentId, full.documentId];
    const change = { documentIds, add: ['Contracts', 'DRAFT', 'contracts'], remove: ['2025', 'nobody’s'] };
    expect(await call('tagFiles', change)).toEqual({
      changed: 1,
      refused: [{ documentId: full.documentId, message: 'A file can have 20 tags at most.' }],
    });
    const tags = new Map((await filesOf(company)).map(({ id, tags }) => [id, tags]));
    expect(tags.get(plain.documentId)).toEqual(['Draft', 'Contracts']);
    expect(tags.get(full.documentId)).toEqual(twenty);
    // Where one goes another comes in.
    expect(await call('tagFiles', { documentIds, add: ['New'], remove: ['TAG 7'] })).toMatchObject({ changed: 2 });
  });

  test('are a list of 1 to 500', async ({ company }) => {
    const some = (length: number) => ({ documentIds: Array.from({ length }, () => randomUUID()) });
    for (const length of [0, 501]) {
      const calls = await Promise.allSettled([
        company.client.call('deleteFiles', some(length)),
        company.client.call('retryFiles', some(length)),
        company.client.call('tagFiles', { ...some(length), add: ['x'], remove: [] }),
      ]);
      const refusal = { status: 'rejected', reason: { code: 'invalid-input' } };
      expect(calls).toMatchObject([refusal, refusal, refusal]);
    }
    expect(await company.client.call('deleteFiles', some(500))).toEqual({ changed: 0, refused: [] });
  });
});
