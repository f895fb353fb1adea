/** Something, an @, and a domain: the server decides the rest. */
export function looksLikeEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>,;:"()[\]]+@[^\s@<>,;:"()[\].]+(\.[^\s@<>,;:"()[\].]+)+$/.test(text);
}
