/** What was found out about one part of an installation. */
export interface Finding {
  /** What was looked at, in a word or two. */
  about: string;
  /**
   * `right`; `notice`: it works, and something about it is worth a thought; `wrong`: something does not work, or will
   * soon not; `unknown`: nothing could be found out here.
   */
  state: 'right' | 'notice' | 'wrong' | 'unknown';
  /** A sentence. */
  says: string;
  /** What to do about it, in a sentence. */
  todo?: string;
}

/** What went wrong, in a line that shows nobody's password. */
export function inWords(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  const said = cause instanceof Error && cause.message !== '' ? cause.message : message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
  return (said || code).replace(/\/\/[^/@\s]*@/g, '//…@').split('\n', 1)[0] ?? '';
}
