import { looksLikeEmail } from '#web/lib/email.ts';

/** What a pasted list holds, each part in the order of the list. */
export interface PastedAddresses {
  /** Lower case, each one once. */
  addresses: string[];
  /** Addresses that stand in the list more than once. */
  duplicates: string[];
  /** What is no address, as it stands there. */
  unrecognised: string[];
}

/**
 * Reads a list as people paste it: one address a line, or separated by commas, semicolons or spaces, bare or as
 * `Name <mail>`, from a spreadsheet or from a mail's header (`"Lind, Mara" <mara@nordwind.example>; …`).
 */
export function parseAddresses(text: string): PastedAddresses {
  const found = new Set<string>();
  const duplicates = new Set<string>();
  const unrecognised = new Set<string>();
  for (const line of text.split(/[\r\n]+/)) {
    for (const part of splitOutsideQuotes(line, ';')) {
      const { addresses, others } = readPart(part);
      for (const address of addresses) (found.has(address) ? duplicates : found).add(address);
      for (const other of others) unrecognised.add(other);
    }
  }
  return { addresses: [...found], duplicates: [...duplicates], unrecognised: [...unrecognised] };
}

/** What stands between two semicolons or line ends. */
function readPart(part: string): { addresses: string[]; others: string[] } {
  const addresses: string[] = [];
  const others: string[] = [];
  let pending: string[] = [];
  for (const cell of splitOutsideQuotes(part, ',', '\t')) {
    const inAngles = /^(.*)<([^<>]*)>[\s.]*$/.exec(cell);
    const address = bare(inAngles?.[2] ?? cell);
    const words = address === null && !inAngles ? cell.split(/\s+/).map(bare) : [];
    if (address !== null) {
      // `Lind, Mara <mara@…>`: what stands before a name with its address in angles belongs to the name.
      if (!inAngles || inAngles[1]?.trim() === '') others.push(...pending);
      else others.push(...pending.slice(0, -1));
      pending = [];
      addresses.push(address);
    } else if (words.length > 1 && words.every((word) => word !== null)) {
      others.push(...pending);
      pending = [];
      addresses.push(...words);
    } else if (cell.includes('@')) others.push(cell);
    else pending.push(cell);
  }
  others.push(...pending);
  // The other columns of a row that a spreadsheet gave: names, departments.
  const isRow = part.includes('\t') && addresses.length > 0;
  return { addresses, others: isRow ? others.filter((other) => other.includes('@')) : others };
}

/** The address without what people put around it; null when it is none. */
function bare(text: string): string | null {
  const address = text
    .trim()
    .replace(/^["'<([]+|["'>)\].,;:]+$/g, '')
    .replace(/^mailto:/i, '')
    .toLowerCase();
  return looksLikeEmail(address) ? address : null;
}

/** The trimmed parts that are not empty; a separator in double quotes belongs to its part. */
function splitOutsideQuotes(text: string, ...separators: string[]): string[] {
  const parts: string[] = [];
  let quoted = false;
  let part = '';
  // A quote that never ends is a character like any other.
  let quotesLeft = text.split('"').length - 1;
  for (const character of text) {
    if (character === '"') {
      quotesLeft--;
      quoted = !quoted && quotesLeft > 0;
    }
    if (!quoted && separators.includes(character)) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '');
}
