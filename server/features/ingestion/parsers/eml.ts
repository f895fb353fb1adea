import { readFile, stat } from 'node:fs/promises';
import type { Address, Attachment, Email } from 'postal-mime';
import type { Block } from '../document.ts';
import { ParseFailure } from '../reasons.ts';
import { htmlBlocks } from './html.ts';
import { MailReader, readableMail } from './mail-letters.ts';
import type { Parser } from './parser.ts';
import { tableBlocks } from './table.ts';
import { textBlocks } from './text.ts';

const maxPart = 200;
const mediaTypes: Record<string, string> = {
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'message/rfc822': 'eml',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** A mail: its subject, who wrote it to whom and when, its text; attachments are handed on as files. */
export const parseEml: Parser = async ({ path, limits }, sink) => {
  if ((await stat(path)).size > limits.mailBytes) throw ParseFailure.of('too-much-memory');
  const mail = await new MailReader({ forceRfc822Attachments: true }).parse(readableMail(await readFile(path)));
  for (const block of headBlocks(mail)) sink.block(block);
  for (const block of bodyBlocks(mail)) sink.block(block);
  const attachments = mail.attachments.filter((attachment) => !isPartOfBody(attachment));
  for (const [index, attachment] of attachments.entries()) {
    const { content } = attachment;
    sink.attachment(
      nameOf(attachment, index),
      typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    );
  }
};

/**
 * The fields that a mail program shows, each as a row that can be asked for; the subject is what the mail is called,
 * too.
 */
function headBlocks({ subject = '', from, to, cc, date = '' }: Email): Block[] {
  const fields = [
    ['From', from ? addressText(from) : ''],
    ['To', (to ?? []).map(addressText).join(', ')],
    ['Cc', (cc ?? []).map(addressText).join(', ')],
    ['Date', date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):.*Z$/, '$1 $2 UTC')],
    ['Subject', subject],
  ].filter(([, value]) => value?.trim() !== '');
  const blocks: Block[] = [
    ...(subject.trim() === '' ? [] : [{ kind: 'heading' as const, level: 1, text: subject }]),
    ...tableBlocks(fields, { header: false }).map((block, i) =>
      i === 0 ? { ...block, table: { columns: [], isMailHead: true } } : block,
    ),
  ];
  // Stands above all of its passages: who asks for what somebody sent uses none of the words of the fields.
  const sender = from?.name || (from ? addressText(from) : '');
  const part = sender === '' ? undefined : `E-mail sent by ${sender}`.slice(0, maxPart);
  return blocks.map((block, i) => (i === 0 && part !== undefined ? { ...block, part } : block));
}

function addressText(address: Address): string {
  if (address.group) return address.group.map(addressText).join(', ');
  return address.name && address.name !== address.address ? `${address.name} <${address.address}>` : address.address;
}

/** The plain text is what its writer sees; only the HTML one has tables, and some mails have no other. */
function bodyBlocks({ html, text }: Email): Block[] {
  const fromHtml = html ? [...htmlBlocks(html)].filter((block) => block.text.trim() !== '') : [];
  const hasTable = fromHtml.some(({ kind }) => kind === 'row');
  return text?.trim() && !hasTable ? [...textBlocks(text)] : fromHtml;
}

/** Logos and the like, which the HTML text shows. */
function isPartOfBody({ related, mimeType }: Attachment): boolean {
  return related === true && mimeType.startsWith('image/');
}

function nameOf({ filename, mimeType }: Attachment, index: number): string {
  if (filename?.trim()) return filename;
  return `attachment ${index + 1}.${mediaTypes[mimeType] ?? 'bin'}`;
}
