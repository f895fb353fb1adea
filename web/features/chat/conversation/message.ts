import type { AnswerLanguage } from '#contract/agent.ts';
import type { AnswerClaim, Passage, Source, UnsupportedClaim } from '#contract/calls/answers.ts';
import type { CallInput, CallOutput } from '#contract/calls.ts';
import { maxQuestionLength } from '#contract/question.ts';
import { placeLabel } from '#web/lib/place.ts';

export type { Passage, Source };

export interface Message {
  id: string;
  type: 'user' | 'ai';
  text: string;
  /** ISO 8601 */
  timestamp: string;
  /** Of a question: asked by its own words, without what was asked before. */
  alone?: true;
  /** Of an answer: what its numbers refer to. */
  sources: Source[];
  /** Set on what the assistant did not answer: an error's bubble. The history leaves it out. */
  failed?: true;
  /** The reader stopped it. */
  stopped?: true;
  /** The connection was lost before its end. */
  lost?: true;
  /** Of an answer that has come as a whole: the name under which it can be rated. */
  queryId?: string;
  /** False: the documents do not answer the question. */
  answered?: boolean;
  /** Where no answer was found: what comes closest. */
  closest?: Passage[];
  /** Claims that no passage supports. */
  unsupported?: UnsupportedClaim[];
  /** Claims that could not be checked. */
  unchecked?: AnswerClaim[];
  /** How the answer was made, where that is worth telling. */
  notice?: string;
  /** Only some documents were searched, since filters were set. */
  filtered?: true;
  rating?: 'up' | 'down';
  /** Whom to ask where the documents do not answer. */
  contact?: string;
  /** In which our own words in it are. */
  language?: AnswerLanguage;
  /** The question before, together with which this one was understood. */
  followingUp?: string;
}

/** What is kept of a result beside its text; anything may be missing, since it came over the wire. */
export function factsOf(result: Partial<CallOutput<'query'>>): Partial<Message> {
  const { queryId, answered, closest, unsupported, unchecked, notice, contact, language, followingUp } = result;
  return {
    sources: readSources(result.sources),
    ...(queryId === undefined ? {} : { queryId }),
    ...(answered === undefined ? {} : { answered }),
    ...(closest ? { closest } : {}),
    ...(unsupported ? { unsupported } : {}),
    ...(unchecked ? { unchecked } : {}),
    ...(notice === undefined ? {} : { notice }),
    ...(contact === undefined ? {} : { contact }),
    ...(language === undefined ? {} : { language }),
    ...(followingUp === undefined ? {} : { followingUp }),
  };
}

/**
 * The sources of a result. Ours say all that their type promises; those of another server may lack a number (then the
 * place in the list is meant) and may call the address `uri` or `link`. An address that a page must not lead to is left
 * out.
 */
export function readSources(list: unknown): Source[] {
  return Array.isArray(list) ? list.map((each, place) => readSource(each, place + 1)) : [];
}

export function readSource(given: unknown, place: number): Source {
  const source: Partial<Source> & { uri?: unknown; link?: unknown } = Object(given);
  const { row, ...withoutRow } = source;
  const address = [source.url, source.uri, source.link].find((each) => typeof each === 'string' && each !== '');
  const text = (each: unknown) => (typeof each === 'string' ? each : '');
  const title = text(source.title);
  return {
    ...withoutRow,
    ...(isRow(row) ? { row } : {}),
    n: Number.isInteger(source.n) ? (source.n ?? place) : place,
    title,
    name: text(source.name) || title || `Source ${place}`,
    url: safeAddress(text(address)),
    documentId: text(source.documentId),
    version: source.version ?? 1,
    quote: text(source.quote),
    start: source.start ?? 0,
    end: source.end ?? 0,
  };
}

function isRow(row: unknown): row is NonNullable<Source['row']> {
  const cells: unknown = Object(row).cells;
  return (
    Array.isArray(cells) &&
    cells.length > 0 &&
    cells.every((cell) => typeof Object(cell).head === 'string' && typeof Object(cell).text === 'string')
  );
}

/** The address if it is one of the web or of this app; a script in its place must never be a link. */
function safeAddress(address: string): string {
  const base = 'https://app.invalid';
  if (!URL.canParse(address, base)) return '';
  return ['https:', 'http:'].includes(new URL(address, base).protocol) ? address : '';
}

const remembered = 4;

type History = CallInput<'query'>['history'];

/** What the assistant is sent: the last 4 messages without errors, then the question. */
export function historyOf(messages: readonly Message[], question: string): History {
  const earlier = messages.filter(({ failed, text }) => !failed && text.trim() !== '').slice(-remembered);
  return [...earlier.map(({ type, text }) => entry(type, text)), entry('user', question)];
}

function entry(type: Message['type'], text: string): History[number] {
  return { role: type === 'user' ? 'user' : 'model', parts: [{ text: text.slice(0, maxQuestionLength) }] };
}

/** `Travel policy.pdf, page 3`, `Budget.xlsx, sheet Costs` */
export function placeOf({ name, page, sheet }: Pick<Source, 'name' | 'page' | 'sheet'>): string {
  if (sheet !== undefined) return `${name}, sheet ${sheet}`;
  return page === undefined ? name : `${name}, ${placeLabel(name, page)}`;
}
