/**
 * The text with at most 30 marks on one letter, which no language needs, as the Stream-Safe Text Format has it (Unicode
 * Standard Annex #15, section 13). To normalize a pile of them takes the square of its height: 20 ms for 8,000, and a
 * question is normalized several times.
 */
export function streamSafe(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1');
}

/** The same for a text that comes in pieces, wherever they are cut. */
export function streamSafePieces(): (piece: string) => string {
  let marks = '';
  return (piece) => {
    const whole = streamSafe(marks + piece);
    const next = whole.slice(marks.length);
    marks = /\p{M}{1,30}$/u.exec(whole.slice(-60))?.[0] ?? '';
    return next;
  };
}
