import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventReader } from './sse.ts';

/** The text of a stream, as the server writes it: pings between events. */
function written(events: readonly string[], newline: string): string {
  return events
    .map(
      (data) =>
        `: ping${newline}${newline}${data
          .split('\n')
          .map((line) => `data: ${line}${newline}`)
          .join('')}${newline}`,
    )
    .join('');
}

function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const data = fc
  .array(
    fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' ')),
    { maxLength: 4 },
  )
  .map((lines) => lines.join('\n'));

test('reads the same events however the text is split', () => {
  fc.assert(
    fc.property(
      fc.array(data, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      (events, cuts, newline) => {
        const read = eventReader();
        const got = pieces(written(events, newline), cuts).flatMap(read);
        // A lone CR at the end may be half of a line's end: only what follows tells.
        expect([...got, ...read(newline === '\r' ? ':' : '')]).toEqual(events);
      },
    ),
  );
});

test('an event without its end is none', () => {
  const read = eventReader();
  expect(read('data: {"message":1}\n')).toEqual([]);
  expect(read('\n')).toEqual(['{"message":1}']);
});

test('skips comments and other fields, and keeps a value without the space', () => {
  const read = eventReader();
  expect(read(': ping\n\nid: 7\nevent: x\ndata:{"a":1}\nretry: 3\n\n')).toEqual(['{"a":1}']);
});
