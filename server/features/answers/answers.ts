import { randomUUID } from 'node:crypto';
import { type AgentSettings, usualAgent } from '#contract/agent.ts';
import type { CallOutput, ParsedInput } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import { allowedFilters, goesOn, type RetrievalRequest } from '#server/features/retrieval/retrieval.ts';
import { streamSafe } from '#server/lib/stream-safe.ts';
import type { LanguageModel } from '#server/ports/language-model/port.ts';
import type { SavedAgent } from './agent/agent.ts';
import { mannerOf } from './agent/manner.ts';
import { smallTalkOf } from './agent/small-talk.ts';
import { wordings } from './agent/wording.ts';
import { passagesQuoted } from './found-quotes.ts';
import { roomFor } from './generate/prompt.ts';
import { rewrite } from './generate/rewrite.ts';
import { contextOf, topicBefore } from './history.ts';
import type { Repeatable } from './kept-reply.ts';
import { createQuotedAnswer, type Emit, stream } from './quoted-answer.ts';
import { type Asked, type Facts, record, type Stored } from './store.ts';
import { createWrittenAnswer, type WrittenAnswerDeps } from './written-answer.ts';

type Answer = CallOutput<'query'>;

interface AnswersDeps extends WrittenAnswerDeps {
  /** Absent: answers are quotes alone. */
  model?: LanguageModel | undefined;
  /** How the company wants to be answered; absent: as usual. */
  savedAgent?: (companyId: string) => Promise<SavedAgent>;
}

/** Answers from a company's documents. Every quote is checked word for word before anybody sees it. */
export function createAnswers(deps: AnswersDeps) {
  const { db, retrieval, model, savedAgent = async () => ({ version: 0, settings: usualAgent }), log } = deps;
  const quoted = createQuotedAnswer(deps);
  const written = createWrittenAnswer({ ...deps, quoted });

  /**
   * @param emit told of progress, then of the answer's words and sources, once they are checked
   * @returns the answer as it is stored
   */
  async function query(
    { companyId, userId, email, key, ip, entitlements }: Actor & { ip?: string },
    { history, filters }: ParsedInput<'query'>,
    {
      signal,
      emit,
      isTrial,
      settings,
      repeatable,
    }: {
      signal: AbortSignal;
      emit: Emit;
      isTrial?: boolean;
      settings?: AgentSettings | undefined;
      repeatable?: Repeatable | undefined;
    },
  ): Promise<Answer> {
    const agent = settings ? { version: 0, settings } : await savedAgent(companyId);
    const turns = history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
    const question = turns.at(-1)?.text ?? '';
    const saidBefore = goesOn(question) ? topicBefore(turns) : undefined;
    const manner = mannerOf(agent.settings, question);
    const by = { companyId, userId, email, key, ip };
    const smallTalk = smallTalkOf(question);
    const taken = saidBefore === undefined || smallTalk ? {} : { followingUp: saidBefore };
    const facts: Facts = { agentVersion: agent.version, language: manner.language, ...taken };
    const started = performance.now();
    const asked: Asked = { ...by, question, saidBefore, isTrial, started, manner, facts, repeatable };
    const told = (answer: Stored): Answer => ({ ...answer, ...facts });
    if (smallTalk) return told(await replied(asked, smallTalk, emit));
    const writer = manner.isWritten ? model : undefined;
    const usual = { limit: writer ? roomFor(writer) : passagesQuoted, filters: allowedFilters(entitlements, filters) };
    emit({ type: 'status', status: 'searching', language: manner.language, ...taken });
    const byWords: RetrievalRequest = { ...usual, text: question, context: contextOf(turns) };
    if (!writer) return told(await quoted(asked, await retrieval.prepare(by, byWords, signal), { signal, emit }));
    // What can be understood by itself needs no request of its own: the words of the conversation help to find it
    // either way.
    const rewritten = turns.length > 1 && goesOn(question) ? await rewrite(writer, turns, signal) : null;
    if (rewritten?.reason) log?.warn({ reason: rewritten.reason }, 'a question was not made to stand by itself');
    const request = rewritten?.text ? { ...usual, text: rewritten.text } : byWords;
    const earlier = turns.slice(0, -1);
    return told(await written(writer, asked, request, { earlier, spent: rewritten?.usage }, { signal, emit }));
  }

  /** Who says hello is not told that no document says so. */
  async function replied(
    asked: Asked,
    { kind, language }: NonNullable<ReturnType<typeof smallTalkOf>>,
    emit: Emit,
  ): Promise<Stored> {
    const { languages } = asked.manner;
    const wording = languages.length === 0 || languages.includes(language) ? wordings[language] : asked.manner.wording;
    const answer: Stored = { answer: wording[kind], sources: [], answered: true, queryId: randomUUID() };
    // As little counted as a question that is tried: it asks nothing.
    await db.asActor(asked, (tx) => record(tx, { ...asked, isTrial: true }, answer, []));
    stream(answer, emit);
    return answer;
  }

  return { query };
}

/** PostgreSQL stores any character but NUL. */
function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => streamSafe(text.replaceAll('\0', ' '))).join('\n');
}
