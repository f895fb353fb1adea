import { AppError, errorCodes, httpStatus } from '#contract/errors.ts';
import { apiDocument, isSchema, misfit, type Operation, operationOf, type Schema } from './api-document.ts';
import { type Answered, type Listening, watchAnswers } from './watch-answers.ts';

/**
 * Holds every call that a server answers from now on against the API document.
 * @param note told of what is not as it says: the call, the status, and where in what was sent or answered
 */
export function holdToDocument(server: Listening, note: (finding: string) => void): void {
  watchAnswers(server, (answered) => {
    for (const finding of unlikeDocument(answered)) note(finding);
  });
}

/** What of a call's answer the document does not say; empty where all is as it says. */
function unlikeDocument({ call, sent, status, streamed, lines }: Answered): string[] {
  const operation = operationOf(call);
  const common = apiDocument['x-errors'];
  const known = operation ? [...common, ...operation['x-errors']] : [...common, 'unknown-call'];
  const last = lines.at(-1);
  const found: string[] = [];
  if (isSchema(last) && 'error' in last) found.push(...unlikeError(last.error, { status, streamed, known }));
  else if (operation && isSchema(last) && 'result' in last) {
    if (status !== 200) found.push(`a result with status ${status}`);
    found.push(misfit(answerOf(operation, streamed), last) ?? '');
    // What was taken has to be what the document lets one send.
    const unlike = misfit(operation.requestBody.content['application/json'].schema, JSON.parse(sent));
    found.push(unlike === null ? '' : `was taken though ${unlike}`);
  } else found.push(`neither a result nor an error: ${JSON.stringify(last)?.slice(0, 200)}`);
  for (const message of streamed ? lines.slice(0, -1) : []) {
    const shape = operation?.['x-stream']?.message;
    const said = isSchema(message) ? message.message : undefined;
    found.push(shape ? (misfit(shape, said) ?? '') : 'a message of a call that has no stream');
  }
  return found.filter((finding) => finding !== '').map((finding) => `${call} ${status}: ${finding}`);
}

/** A stream's answer is the same, but never has it a second time. */
function answerOf(operation: Operation, streamed: boolean): Schema {
  const { schema } = operation.responses[200].content['application/json'];
  const { properties } = schema as { properties: { result: Schema } };
  return streamed ? streamEnd(properties.result) : schema;
}

const ends = new Map<Schema, Schema>();
function streamEnd(result: Schema): Schema {
  const end = ends.get(result) ?? { type: 'object', properties: { result }, required: ['result'] };
  ends.set(result, end);
  return end;
}

function unlikeError(
  error: unknown,
  { status, streamed, known }: { status: number; streamed: boolean; known: string[] },
): string[] {
  const { code } = (isSchema(error) && isSchema(error.details) && error.details) || {};
  const named = errorCodes.find((each) => each === code);
  if (!isSchema(error) || named === undefined) return [`an error without a code: ${JSON.stringify(error)}`];
  const expected = new AppError(named);
  return [
    ...(known.includes(named) ? [] : [`the error ${named}, which it does not list`]),
    ...(error.status === expected.status ? [] : [`${named} with status ${String(error.status)}`]),
    ...(streamed || status === httpStatus[expected.status] ? [] : [`${named} with HTTP ${status}`]),
    ...Object.keys(error).filter((field) => !['status', 'message', 'details'].includes(field)),
  ];
}
