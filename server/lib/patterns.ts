/** A pattern that finds all its places, in small and capital letters, with classes of Unicode. */
export function pattern(source: string): RegExp {
  return new RegExp(source, 'giu');
}

/**
 * The groups of a match, empty where one has found nothing.
 * @param rest what \`replace\` hands over behind the match: the groups, its place, the text
 */
export function groupsOf(rest: unknown[]): string[] {
  return rest.slice(0, -2).map((group) => (typeof group === 'string' ? group : ''));
}
