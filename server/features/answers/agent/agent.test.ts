import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { type AgentSettings, agentBounds, usualAgent } from '#contract/agent.ts';
import { eq } from '#server/db/drizzle.ts';
import { auditEvents, queries } from '#server/db/schema.ts';
import { type ScriptedApp, startScriptedApp } from '#server/testing/scripted-app.ts';
import { obeying, says } from '#simulators/models/script.ts';

const fact = 'Receipts must be handed in within 30 days.';
const hotel = 'A hotel in Berlin may cost 145 euros a night.';
const question = 'Within how many days must receipts be handed in?';
const unknown = 'How many moons does Jupiter have?';

describe('how a company wants to be answered', () => {
  let scripted: ScriptedApp;
  beforeAll(async () => {
    scripted = await startScriptedApp(
      { 'Travel.md': `# Travel\n\n${fact}\n\n${hotel}\n\nDas Parken am Bahnhof wird erstattet.\n` },
      { isReadTwice: false },
    );
  }, 60_000);
  afterAll(() => scripted.close());
  afterEach(async () => {
    await save({});
  });

  const save = (settings: Partial<AgentSettings>) =>
    scripted.client.call('saveChatAgent', { settings: { ...usualAgent, ...settings } });
  const ask = (text: string) => scripted.client.call('query', { history: [{ role: 'user', parts: [{ text }] }] });
  /** What the model is told when the question is asked. */
  const toldWhen = async (settings: Partial<AgentSettings>, text = question) => {
    await save(settings);
    scripted.model.calls.length = 0;
    scripted.model.play(says(`${fact} [1]`));
    await ask(text);
    return scripted.model.calls.map(({ prompt }) => prompt).join('\n');
  };

  test('instructions, name, tone, length and language reach the model; without any it is told as before', async () => {
    const usual = await toldWhen({});
    expect(usual).toContain('Be short: a few sentences or a list. Answer in the language of the question.');
    expect(usual).not.toContain('wishes');
    const told = await toldWhen({
      name: 'Juniper',
      instructions: 'Call customers guests [1].',
      tone: 'formal',
      length: 'detailed',
      languages: ['de'],
    });
    expect(told).toContain('Be thorough');
    expect(told).toContain('formal tone');
    expect(told).toContain('Answer in German');
    expect(told).toContain('You are called Juniper.');
    // A number of theirs must not look like one of a passage.
    expect(told).toContain('Call customers guests ⟦1⟧.');
    expect(told.indexOf('Every sentence needs its number')).toBeLessThan(told.indexOf('Call customers guests'));
  });

  test('a question is answered in its language where the company allows it, else in the first', async () => {
    const languages = ['fr', 'de'] as const;
    expect(await toldWhen({ languages: [...languages] }, 'Wird mir das Parken am Bahnhof erstattet?')).toMatch(
      /Answer in German/,
    );
    expect(await toldWhen({ languages: [...languages] })).toMatch(/Answer in French/);
  });

  test('instructions cannot switch off citations', async () => {
    await save({ instructions: 'Say only this: Receipts must be handed in within 90 days.' });
    // As obedient as a model can be, and without any number.
    scripted.model.play(obeying(/Say only this: ([^\n]*)/, says('NOT_IN_DOCUMENTS')));
    const wrong = await ask(question);
    expect(wrong.answer).not.toMatch(/90 days\.? \[\d/);
    expect(wrong.sources.map(({ quote }) => quote)).toContain(fact);
    await save({ instructions: `Say only this: ${fact}` });
    const right = await ask(question);
    expect(right.answer).toMatch(/within 30 days\.? ?\[1\]/);
    expect(right.sources.map(({ quote }) => quote)).toEqual([fact]);
  });

  test('the longest instructions leave room for passages in a small context', async () => {
    const told = await toldWhen({ instructions: 'wish '.repeat(agentBounds.instructions / 5).trim() });
    expect(told).toContain(fact);
    expect(told).toContain(question);
  });

  test('quotes are given where the company wants quotes, and the model is not asked', async () => {
    await save({ mode: 'quotes' });
    scripted.model.calls.length = 0;
    const { answer } = await ask(question);
    expect(answer).toContain(`> ${fact} [1]`);
    expect(scripted.model.calls).toEqual([]);
    await save({});
    scripted.model.play(says(`It is due within 30 days [1].`));
    expect((await ask(question)).answer).not.toContain('> ');
  });

  test('short quotes are one, and the others are folded', async () => {
    const both = 'What must be handed in within 30 days, and what may a hotel in Berlin cost a night?';
    await save({ mode: 'quotes' });
    const usual = await ask(both);
    expect(usual.answer.match(/^> /gm)).toHaveLength(2);
    await save({ mode: 'quotes', length: 'short' });
    const short = await ask(both);
    expect(short.answer.match(/^> /gm)).toHaveLength(1);
    expect(short.sources.map(({ quote }) => quote)).toEqual(usual.sources.map(({ quote }) => quote));
    expect(short.sources.map(({ supporting }) => supporting ?? false)).toEqual([false, true]);
  });

  test('our own sentences are in the language that the company wants', async () => {
    await save({ mode: 'quotes', languages: ['es'] });
    expect((await ask(question)).answer).toMatch(/^Según sus documentos:/);
    expect((await ask(unknown)).answer).toMatch(/^No hay una respuesta clara/);
  });

  test('what is said where nothing is found is the company’s, with whom to ask', async () => {
    await save({ notFound: 'Not in our handbook [1].', contact: 'office@example.com' });
    scripted.model.play(says('NOT_IN_DOCUMENTS'));
    const { answer, answered, contact } = await ask(unknown);
    expect([answered, contact]).toEqual([false, 'office@example.com']);
    expect(answer).toMatch(/^Not in our handbook ⟦1⟧\./);
    await save({});
    const before = await ask(unknown);
    expect(before.answer).toMatch(/^No clear answer/);
    expect(before.contact).toBeUndefined();
  });

  test('a stream takes what was saved a moment ago, and says of which version it is', async () => {
    const { version } = await save({ notFound: 'Ask the desk.' });
    scripted.model.play(says('NOT_IN_DOCUMENTS'));
    const { result } = await scripted.app.stream(
      'query',
      { history: [{ role: 'user', parts: [{ text: unknown }] }] },
      { token: scripted.token },
    );
    expect(result.answer).toMatch(/^Ask the desk\./);
    expect(result.agentVersion).toBe(version);
  });

  test('another company is answered by its own settings alone', async () => {
    const { version } = await save({ notFound: 'Ask the desk.', examples: ['May I fly?'] });
    const { token } = await scripted.app.signUp();
    const theirs = createClient(scripted.app.url, token);
    const history = [{ role: 'user' as const, parts: [{ text: unknown }] }];
    const usual = await theirs.call('query', { history });
    expect(usual.agentVersion).toBe(0);
    expect(usual.answer).not.toContain('Ask the desk.');
    expect((await theirs.call('getSuggestedQuestions', null)).questions).not.toContain('May I fly?');
    const saved = await theirs.call('saveChatAgent', { settings: { ...usualAgent, notFound: 'Ask them.' } });
    expect(saved.version).toBe(1);
    scripted.model.play(says('NOT_IN_DOCUMENTS'));
    const [asked, ours] = [await theirs.call('query', { history }), await ask(unknown)];
    expect([asked.agentVersion, ours.agentVersion]).toEqual([1, version]);
    expect(ours.answer).toMatch(/^Ask the desk\./);
  });

  test('examples come before the questions that are made from documents', async () => {
    await save({ examples: ['May I fly?', 'Who pays?'] });
    const { questions } = await scripted.client.call('getSuggestedQuestions', null);
    expect(questions.slice(0, 2)).toEqual(['May I fly?', 'Who pays?']);
    expect(questions.length).toBeLessThanOrEqual(4);
  });

  test('the session says what the chat shows', async () => {
    const { version } = await save({ name: 'Juniper', greeting: 'Ask me about travel.' });
    const { assistant } = await scripted.client.call('getSession', null);
    expect(assistant).toEqual({ version, name: 'Juniper', greeting: 'Ask me about travel.' });
  });

  test('settings are tried without being saved, and count nowhere', async () => {
    await save({ notFound: 'Saved words.' });
    scripted.model.play(says('NOT_IN_DOCUMENTS'));
    const counted = () => scripted.app.app.db.asSystem((tx) => tx.$count(queries, eq(queries.isTrial, false)));
    const before = await counted();
    const settings = { ...usualAgent, mode: 'quotes', notFound: 'Tried words.' } as const;
    const tried = await scripted.client.call('tryChatAgent', { question: unknown, settings });
    const saved = await scripted.client.call('tryChatAgent', { question: unknown });
    expect([tried.answer, saved.answer].map((text) => text.split('\n')[0])).toEqual(['Tried words.', 'Saved words.']);
    const [source] = (await scripted.client.call('tryChatAgent', { question, settings })).sources;
    expect(source?.quote).toBe(fact);
    expect(await counted()).toBe(before);
  });

  test('versions are kept with who and what, and one can go back', async () => {
    const first = await save({ greeting: 'One.' });
    await save({ greeting: 'Two.', tone: 'friendly' });
    const back = await scripted.client.call('restoreChatAgent', { version: first.version });
    expect(back.settings.greeting).toBe('One.');
    const [newest, before] = back.versions;
    expect(newest).toMatchObject({ restoredFrom: first.version, changed: ['greeting', 'tone'] });
    expect(before).toMatchObject({ version: first.version + 1, changed: ['greeting', 'tone'] });
    expect(newest?.savedBy).toContain('@');
    const events = await scripted.app.app.db.asSystem((tx) => tx.select().from(auditEvents));
    const changes = events
      .filter(({ action }) => action === 'chat-agent-changed')
      .map(({ details }) => details.version);
    expect(changes).toContain(back.version);
    expect(JSON.stringify(events)).not.toContain('Two.');
  });

  test('fifty versions are kept, and one that is gone cannot be gone back to', async () => {
    const { version } = await save({ greeting: 'Long ago.' });
    for (let i = 0; i < 50; i += 1) await save({ greeting: `No. ${i}` });
    const { versions } = await scripted.client.call('getChatAgent', null);
    expect(versions).toHaveLength(50);
    await expect(scripted.client.call('restoreChatAgent', { version })).rejects.toMatchObject({
      code: 'agent-version-not-found',
    });
  });

  test.each<[string, Partial<AgentSettings>]>([
    ['a name of several lines', { name: 'One\nTwo' }],
    ['a name that turns the reading direction', { name: 'Juniper\u202e' }],
    ['too long instructions', { instructions: 'x'.repeat(agentBounds.instructions + 1) }],
    ['too many examples', { examples: ['a', 'b', 'c', 'd', 'e'] }],
    ['an empty example', { examples: [' '] }],
    ['a language twice', { languages: ['de', 'de'] }],
    ['what the database cannot hold', { greeting: 'a\0b' }],
  ])('%s is refused', async (_, settings) => {
    await expect(save(settings)).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
