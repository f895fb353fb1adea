import { openUpload } from '#server/testing/open-upload.ts';
import type { Content } from './content.ts';
import { intend, type Slot, settle } from './ledger.ts';
import type { Random } from './random.ts';
import { Violation } from './violation.ts';

/** In one piece or in several, some of which are cut off in the middle. */
export async function send(url: string, slot: Slot, content: Content, random: Random): Promise<void> {
  const { bytes } = content;
  intend(slot, content);
  const opened = await openUpload(url, slot.owner.idToken, slot.name, bytes.length);
  const openEnd = { id: opened.id, acknowledged: 0, content };
  slot.openEnd = openEnd;
  const pieces = bytes.length > 50_000 ? random.between(1, 5) : 1;
  for (let offset = 0; offset < bytes.length; ) {
    const end = Math.min(bytes.length, offset + Math.ceil(bytes.length / pieces));
    if (pieces > 1 && random.next() < 0.3) await cutOff(opened, offset, bytes.subarray(offset, end), random);
    else {
      const reply = await opened.send(offset, bytes.subarray(offset, end));
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
      openEnd.acknowledged = end;
      await reply.arrayBuffer();
      if (end === bytes.length) return settle(slot, content);
    }
    offset = await opened.offset();
    if (offset < openEnd.acknowledged)
      throw new Violation(`${slot.name}: ${openEnd.acknowledged} bytes were acknowledged, ${offset} are there`);
  }
  settle(slot, content);
}

async function cutOff(
  opened: Awaited<ReturnType<typeof openUpload>>,
  offset: number,
  bytes: Uint8Array,
  random: Random,
): Promise<void> {
  const piece = new TransformStream<Uint8Array, Uint8Array>();
  const writer = piece.writable.getWriter();
  const sending = opened.send(offset, piece.readable).catch(() => {});
  await writer.write(bytes.subarray(0, random.between(1, bytes.length - 1))).catch(() => {});
  await writer.abort(new Error('cut off')).catch(() => {});
  await sending;
}
