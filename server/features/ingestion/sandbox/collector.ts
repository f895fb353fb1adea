import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '../document.ts';
import type { Unreadable } from '../parsers/parser.ts';
import { gaps } from '../reasons.ts';
import type { Message } from './protocol.ts';

/** What a file says, in reading order. */
export interface ParsedDocument {
  blocks: Block[];
  /** How many pages it has, where the format has pages. */
  pages?: number;
  /** Places that could not be read; not empty means that the document is partly readable. */
  unreadable: Unreadable[];
  /** Files inside this one (of a mail), to be read as documents of their own. */
  attachments: Attachment[];
}

export interface Attachment {
  /** As its sender named it: may be any text. */
  name: string;
  /** Where its bytes are. */
  path: string;
  size: number;
}

/** Puts what a child says into the document. */
export function collector(
  document: ParsedDocument,
  {
    attachmentsTo,
    onProgress,
  }: { attachmentsTo?: string | undefined; onProgress?: ((done: number, total: number) => void) | undefined },
): (message: Message) => void {
  const leftOut: string[] = [];
  return (message) => {
    if (message.type === 'block') document.blocks.push(message.block);
    else if (message.type === 'progress') onProgress?.(message.done, message.total);
    else if (message.type === 'unreadable')
      document.unreadable.push({ why: message.why, ...(message.page !== undefined && { page: message.page }) });
    else if (message.type === 'attachment') {
      if (attachmentsTo !== undefined) collectAttachment(document, attachmentsTo, message);
      else if (message.name !== undefined) leftOut.push(message.name);
    } else if (message.type === 'done') {
      if (message.pages !== undefined) document.pages = message.pages;
      if (leftOut.length > 0) document.unreadable.push({ why: gaps.attachments(leftOut) });
    }
  };
}

/** Pieces come in order. They are small, so that writing them at once holds nobody up. */
function collectAttachment(
  { attachments }: ParsedDocument,
  folder: string,
  { name, base64 }: Extract<Message, { type: 'attachment' }>,
): void {
  const bytes = Buffer.from(base64, 'base64');
  const open = attachments.at(-1);
  if (name !== undefined) {
    // Never by its own name, which may climb out of the folder.
    const path = join(folder, String(attachments.length));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, bytes, { mode: 0o600 });
    attachments.push({ name, path, size: bytes.length });
  } else if (open) {
    appendFileSync(open.path, bytes);
    open.size += bytes.length;
  }
}
