import iconv from 'iconv-lite';
import PostalMime from 'postal-mime';
import { declaredEncoding, fromHead } from '../detect.ts';
import { decodeText } from '../encoding.ts';

/** A part of a mail as the library keeps it: its bytes, and what its head says of them. */
interface Part {
  content: ArrayBuffer | null;
  contentType: { parsed: { value: string; params: Record<string, string | undefined> } };
}

interface Collecting {
  collectNode(part: Part, ...above: unknown[]): Promise<void>;
}

/** Where the library decodes the text of each part; its types leave this step out. */
const { collectNode } = PostalMime.prototype as unknown as Collecting;

/**
 * Reads mails whose parts do not say how their letters are written, or say what can't be: many a program that sends
 * bills does. The library would take them for UTF-8 or for Windows-1252, whatever their bytes are.
 */
export class MailReader extends PostalMime implements Collecting {
  collectNode(part: Part, ...above: unknown[]): Promise<void> {
    const { value, params } = part.contentType.parsed;
    if (part.content && /^text\/(?:plain|html)$/.test(value) && !isTold(params.charset)) {
      const bytes = Buffer.from(part.content);
      const inHtml = value === 'text/html' ? declaredEncoding(bytes.toString('latin1', 0, 8192)) : undefined;
      const text = decodeText(bytes, { declared: known(params.charset) ?? inHtml });
      if (text !== null) {
        part.content = Uint8Array.from(Buffer.from(text)).buffer;
        params.charset = 'utf-8';
      }
    }
    return collectNode.call(this, part, ...above);
  }
}

const saysNothing = /^(?:(?:us-)?ascii|utf-?8)?$/i;

/** Whether the library reads this encoding. Whether it is UTF-8 can be seen, and ASCII is said of anything. */
function isTold(charset = ''): boolean {
  if (saysNothing.test(charset)) return false;
  try {
    return Boolean(new TextDecoder(charset));
  } catch {
    return false;
  }
}

/** Its name for those that decode it here: older mails name what browsers never knew. */
function known(charset = ''): string | undefined {
  return [charset, charset.replace(/^x-(?:ms-)?/i, '')].find(
    (name) => !saysNothing.test(name) && iconv.encodingExists(name),
  );
}

/** Heads are a few kilobytes. */
const maxHead = 256 * 1024;

/** A mail as readers of mails expect it: its head comes first, and is UTF-8. */
export function readableMail(bytes: Buffer): Buffer {
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0;
  const wide = isWide ? decodeText(bytes) : null;
  const plain = wide === null ? bytes : Buffer.from(wide);
  const start = plain.toString('latin1', 0, 1000);
  const mail = plain.subarray(start.length - fromHead(start).length);
  const end = /\r?\n\r?\n/.exec(mail.toString('latin1', 0, maxHead))?.index ?? Math.min(mail.length, maxHead);
  const head = decodeText(mail.subarray(0, end), { cut: true });
  return head === null ? mail : Buffer.concat([Buffer.from(head), mail.subarray(end)]);
}
