/** First and last byte, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * One range of RFC 9110, section 14; null when the whole is asked for: without a range, with one that makes no sense,
 * and with several, which nobody has to answer in parts.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, from = '', to = ''] = match;
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether a list of tags, as `If-None-Match` has it, names this one. */
export function namesTag(list: string | undefined, tag: string): boolean {
  const asked = list?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return asked.includes(tag) || asked.includes('*');
}
