import { Readable } from 'node:stream';

/** How often in a row a read may break off before a byte has come. */
const maxBreaks = 3;

/**
 * A body that goes on where it broke off: a store closes connections on which a slow reader takes nothing for a while,
 * and one that is cut is no reason to begin a download anew.
 * @param first the body from its beginning
 * @param length bytes that it has
 * @param again the same bytes from an offset on; rejects with what is told to the reader
 */
export function resuming(first: Readable, length: number, again: (from: number) => Promise<Readable>): Readable {
  let body = first;
  let at = 0;
  let breaks = 0;
  const whole = new Readable({
    read: () => void body.resume(),
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });

  function follow(next: Readable): void {
    body = next;
    let isOver = false;
    body.on('data', (bytes: Buffer) => {
      at += bytes.length;
      breaks = 0;
      if (!whole.push(bytes)) next.pause();
    });
    // A body of less than it said is cut, whichever way it ends.
    const over = (cause?: unknown) => {
      if (isOver || whole.destroyed) return;
      isOver = true;
      if (at === length) whole.push(null);
      else if (++breaks > maxBreaks) whole.destroy(new Error('the file store broke off', { cause }));
      else again(at).then(goOn, (error) => whole.destroy(error));
    };
    body.on('error', over);
    body.on('close', over);
    body.on('end', over);
  }

  function goOn(next: Readable): void {
    if (whole.destroyed) next.destroy();
    else follow(next);
  }

  follow(first);
  return whole;
}
