import { openUpload } from '#server/testing/open-upload.ts';
import { megabytes, type Row, seconds } from './figures.ts';
import { startObservedApp } from './observed.ts';

const megabyte = 1024 * 1024;
/** Of the largest that is usually taken, unless `UPLOAD_MB` says otherwise. */
const size = Number(process.env.UPLOAD_MB ?? 500) * megabyte;
/** The connection is cut after so many bytes in all. */
const cuts = [0.24, 0.52, 0.82].map((share) => Math.floor(share * size));
/** Where its bytes go: the disk, or the store that these name. */
const places = ['FILES_URL', 'S3_ENDPOINT', 'S3_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** One of the largest files that are taken, with three cuts of the connection. */
export async function measureUpload(): Promise<Row[]> {
  const place = Object.fromEntries(places.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value));
  const app = await startObservedApp({ ...place, MAX_FILE_MB: String(size / megabyte) });
  try {
    const line = Buffer.from('A line of a very long protocol that nobody will read to its end.\n');
    const piece = Buffer.alloc(megabyte, line);
    let took = 0;
    const memory = await app.memoryDuring(async () => {
      const started = performance.now();
      const upload = await openUpload(app.url, app.idToken, 'Protocol.txt', size);
      for (const until of [...cuts, size]) {
        const from = await upload.offset();
        const sending = upload.send(from, streamed(piece, until - from, until < size));
        const reply = await sending.catch(() => null);
        if (until === size && reply?.status !== 200)
          throw new Error(`not finished: ${reply?.status} ${await reply?.text()}`);
      }
      took = performance.now() - started;
    });
    return [
      [`upload of ${megabytes(size)} with three cuts, ${place.FILES_URL ? 'to S3' : 'to the disk'}`, seconds(took), ''],
      ['memory of the server before it, and at most', `${megabytes(memory.before)}, ${megabytes(memory.most)}`, 'flat'],
    ];
  } finally {
    await app.stop();
  }
}

/** @param cut whether it breaks off at its end */
function streamed(piece: Uint8Array, length: number, cut: boolean): ReadableStream<Uint8Array> {
  let left = length;
  return new ReadableStream({
    pull(controller) {
      if (left > 0) {
        const bytes = piece.subarray(0, Math.min(left, piece.length));
        left -= bytes.length;
        controller.enqueue(bytes);
      } else if (cut) controller.error(new Error('cut off'));
      else controller.close();
    },
  });
}
