/** A text for comparing: white space, case and forms of the same character make no difference. */
export function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
