/** The tags in what somebody wrote: between commas or line ends, each once, whatever its case. */
export function tagsIn(text: string): string[] {
  const tags = new Map<string, string>();
  for (const each of text.split(/[,;\n]/)) {
    const tag = each.trim().replace(/\s+/g, ' ');
    if (tag !== '' && !tags.has(tag.toLocaleLowerCase())) tags.set(tag.toLocaleLowerCase(), tag);
  }
  return [...tags.values()];
}
