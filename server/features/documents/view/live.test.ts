import { PDFDocument } from 'pdf-lib';
import { describe, expect } from 'vitest';
import { createClient } from '#client/client.ts';
import type { CallMessage } from '#contract/calls.ts';
import { eq } from '#server/db/drizzle.ts';
import { users } from '#server/db/schema.ts';
import { startTestApp } from '#server/testing/app.ts';
import { type Company, newCompany, test } from '#server/testing/company.ts';
import { holdParser, holdTable } from '#server/testing/hold.ts';
import { watchFiles } from '#server/testing/watch.ts';

type Message = CallMessage<'watchFiles'>;

const rules = Buffer.from('# House rules\n\nThe cellar key hangs behind the green door.\n');

const watch = (company: Company, token = company.admin.token, since?: string) =>
  watchFiles(createClient(company.app.url, token), since);

/** What was told of a file, one for one. */
const told = (messages: Message[], id: string) =>
  messages.flatMap((message) => {
    if (message.type === 'changed' && message.file.id === id) return [message.file.state];
    return message.type === 'removed' && message.id === id ? ['removed' as const] : [];
  });

describe('who watches files', () => {
  test('is told all of them first, and then each as it is queued, read, ready and gone', async ({ app, company }) => {
    const before = await company.client.upload('Before.md', rules);
    await app.idle();
    const { messages } = await watch(company);
    const files = await company.client.call('getCompanyFiles', null);
    expect(messages).toEqual([{ type: 'files', files, cursor: expect.any(String) }]);
    expect(messages).toMatchObject([{ files: [{ id: before.documentId, state: 'ready' }] }]);

    const parsers = [await holdParser()];
    await company.client.upload('One.md', rules);
    parsers.push(await holdParser());
    await company.client.upload('Two.md', rules);
    const { documentId } = await company.client.upload('Rules.md', rules);
    // Each state is held until it has been told: changes that come together are told as one.
    await expect.poll(() => told(messages, documentId)).toEqual(['queued']);
    parsers.push(await holdParser());
    await parsers[0]?.release();
    await expect.poll(() => told(messages, documentId)).toEqual(['queued', 'processing']);
    for (const parser of parsers) await parser.release();
    await expect.poll(() => told(messages, documentId)).toEqual(['queued', 'processing', 'ready']);
    await company.client.call('deleteFile', { filePath: `${company.id}/Rules.md` });
    await expect.poll(() => told(messages, documentId)).toEqual(['queued', 'processing', 'ready', 'removed']);
  });

  test('is told after a break what changed meanwhile and no more, and all where that is not known', async ({
    app,
    company,
  }) => {
    const gone = await company.client.upload('Gone.md', rules);
    await company.client.upload('Still.md', rules);
    await app.idle();
    const before = await watch(company);
    const [first] = before.messages;
    if (first?.type !== 'files') throw new Error('the list did not come first');
    const added = await company.client.upload('Added.md', rules);
    await company.client.call('deleteFile', { filePath: `${company.id}/Gone.md` });
    const stranger = await newCompany(app);
    await stranger.client.upload('Theirs.md', rules);
    await app.idle();
    const { messages } = await watch(company, company.admin.token, first.cursor);
    const cursorOf = (message: Message | undefined) => message && 'cursor' in message && message.cursor;
    await expect.poll(() => cursorOf(messages.at(-1))).toEqual(expect.any(String));
    await expect.poll(() => told(messages, gone.documentId)).toEqual(['removed']);
    await expect.poll(() => told(messages, added.documentId)).toEqual(['ready']);
    expect(messages[0]).toMatchObject({ type: 'resumed' });
    expect(JSON.stringify(messages)).not.toMatch(/Still\.md|Theirs\.md/);
    const cursor = cursorOf(messages.at(-1)) || undefined;
    expect((await watch(company, company.admin.token, cursor)).messages).toMatchObject([{ type: 'resumed' }]);
    expect((await watch(company, company.admin.token, 'elsewhere.7')).messages).toMatchObject([{ type: 'files' }]);
    // Another company's cursor leads to nothing of theirs.
    const theirs = await watch(company, stranger.admin.token, first.cursor);
    await expect.poll(() => JSON.stringify(theirs.messages)).toContain('Theirs.md');
    expect(theirs.messages[0]).toMatchObject({ type: 'resumed' });
    expect(JSON.stringify(theirs.messages)).not.toMatch(/Added\.md|Gone\.md|Still\.md/);
  });

  test('is told how far reading has come, and why it failed', async ({ app, company }) => {
    const { messages } = await watch(company);
    // Changes that come together are told as one: the end of reading waits until what was before has been told.
    const hold = await holdTable(app, 'blocks');
    const pdf = await PDFDocument.create();
    for (let i = 0; i < 300; i++) pdf.addPage().drawText(`Page ${i + 1} of the report.`);
    await company.client.upload('Report.pdf', await pdf.save());
    const read = () =>
      messages
        .flatMap((message) => (message.type === 'changed' ? [message.file] : []))
        .find(({ progress, state }) => progress !== undefined && state !== 'uploading');
    await expect.poll(read).toMatchObject({
      name: 'Report.pdf',
      state: 'processing',
      progress: { done: expect.any(Number), total: 300 },
    });
    await hold.release();
    await company.client.upload('Broken.pdf', Buffer.from('%PDF-1.7\n not really'));
    await expect.poll(() => JSON.stringify(messages)).toContain('damaged');
  });

  test('hears nothing of another company', async ({ app, company }) => {
    const other = await newCompany(app);
    const theirs = await watch(company, other.token);
    const ours = await watch(company);
    const { documentId } = await company.client.upload('Rules.md', rules);
    await expect.poll(() => told(ours.messages, documentId)).toContain('ready');
    // Something of their own that comes later: what was told in between would stand before it.
    const own = await other.client.upload('Theirs.md', rules);
    await expect.poll(() => told(theirs.messages, own.documentId)).toContain('ready');
    expect(JSON.stringify(theirs.messages)).not.toContain(documentId);
    expect(JSON.stringify(theirs.messages)).not.toContain('Rules.md');
    expect(JSON.stringify(theirs.messages)).not.toContain(company.id);
  });

  test('hears no more when the session has ended', async ({ app, company }) => {
    const member = await app.addMember({ id: company.id });
    const { messages, ended } = await watch(company, member.token);
    const before = messages.length;
    const inAnHour = new Date(Date.now() + 3_600_000);
    await app.app.db.asSystem((tx) =>
      tx.update(users).set({ tokensValidSince: inAnHour }).where(eq(users.id, member.uid)),
    );
    await company.client.upload('Rules.md', rules);
    await expect(ended).rejects.toMatchObject({ code: 'session-expired' });
    expect(messages).toHaveLength(before);
  });

  test('is let go when the app stops', async () => {
    const stopping = await startTestApp();
    try {
      const { client } = await newCompany(stopping);
      const { ended } = await watchFiles(client);
      await stopping.app.close();
      // Not an error: the client asks again at once, and another process answers.
      expect(await ended).toBe(null);
    } finally {
      await stopping.close();
    }
  });
});
