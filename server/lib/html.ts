const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and for quoted attributes. */
export function escapeHtml(words: string): string {
  return words.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
