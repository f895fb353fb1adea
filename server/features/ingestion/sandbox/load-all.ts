/**
 * A program that loads all code of the parsers as a child does, and ends: node keeps what it makes of it where it is
 * told to. It is given no document.
 */
import { parsers } from '../parsers/parsers.ts';

for (const load of Object.values(parsers)) await load();
await import('../parsers/pdf-text.ts');
// Ends with its input, which is empty.
await import('./child.ts');
