import { ProviderFailure } from '#server/lib/provider-failure.ts';

/** A line that is longer is no line of a token stream. */
const longestLine = 1_000_000;

/**
 * The data of each event of a server-sent event stream, as the HTML standard reads it: lines end in CR, LF or both,
 * comments are passed over, several data lines are one event. An event that the end cuts off does not count.
 */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
  }
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the very end may be half of a CRLF.
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    if (rest.length > longestLine) throw new ProviderFailure('unavailable', 'sent a line without an end');
    yield* parts;
  }
  yield* (rest + decoder.decode()).split(/\r\n|\n|\r/).slice(0, -1);
}
