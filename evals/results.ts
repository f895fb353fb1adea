import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces a section of a file of results, or appends it, and leaves the others.
 * @param head what a file that is not there yet begins with
 * @param section begins with its title, a line `## name`
 */
export function writeSection(file: string, head: string, section: string): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : head;
  const sections = before.split(/^(?=## )/m);
  const title = section.slice(0, section.indexOf('\n') + 1);
  const at = sections.findIndex((each) => each.startsWith(title));
  if (at === -1) sections.push(section);
  else sections[at] = section;
  writeFileSync(file, `${sections.map((each) => each.trim()).join('\n\n')}\n`);
}
