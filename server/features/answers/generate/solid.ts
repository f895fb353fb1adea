/** How many characters of a text are no blanks: blanks come and go with markers, what stands between them does not. */
export function solidIn(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}
