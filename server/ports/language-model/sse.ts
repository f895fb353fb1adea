import { createParser } from 'eventsource-parser';
import { ProviderFailure } from '#server/lib/provider-failure.ts';

/** Characters of an event that is not whole yet; one that is longer is none of a token stream. */
const maxEventLength = 1_000_000;

/**
 * The data of each event of a server-sent event stream. An event that the end cuts off does not count.
 * @throws ProviderFailure `unavailable` for an event without an end
 */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events.splice(0);
    if (isTooLong) throw new ProviderFailure('unavailable', 'sent an event without an end');
  }
}
