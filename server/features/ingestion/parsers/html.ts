import { readFile } from 'node:fs/promises';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { declaredEncoding } from '../detect.ts';
import type { Block } from '../document.ts';
import { decodeText } from '../encoding.ts';
import { ParseFailure } from '../reasons.ts';
import { contentOf } from './html-content.ts';
import type { Parser } from './parser.ts';
import { tableBlocks } from './table.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const skipped = new Set(
  'script style noscript template nav iframe object embed svg math canvas select textarea button input head audio video dialog noframes'.split(
    ' ',
  ),
);
/** Elements whose text runs on with what stands around them; every other one ends a paragraph. */
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr output picture'.split(
    ' ',
  ),
);

/** Of a page's text. */
const minContent = 0.4;
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

export const parseHtml: Parser = async ({ path }, sink) => {
  const bytes = await readFile(path);
  const declared = declaredEncoding(bytes.subarray(0, 8192).toString('latin1'));
  const html = decodeText(bytes, { declared });
  if (html === null) throw ParseFailure.of('damaged');
  for (const block of pageBlocks(html)) sink.block(block);
};

/** The content of a page of a site, without what leads around the site; all of it where little would be left. */
function pageBlocks(html: string): Block[] {
  const all = parse(html).childNodes;
  const { nodes, isAround } = contentOf(all);
  const content = [...new Walk(nodes, isAround).blocks()];
  const whole = [...new Walk(all).blocks()];
  return letterCount(content) >= letterCount(whole) * minContent ? content : whole;
}

/** As `htmlBlocks`, of a chapter written in XML, where any element may close itself. */
export function xhtmlBlocks(bytes: Uint8Array): Generator<Block> {
  const declared = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{2,40})/.exec(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  )?.[1];
  const xhtml = decodeText(bytes, { declared });
  if (xhtml === null) throw ParseFailure.of('damaged');
  // Read as HTML, `<title/>` or `<a id="x"/>` would swallow what follows.
  return htmlBlocks(
    xhtml.replace(/<([a-z][\w:-]*)(\s[^<>]*?)?\/>/gi, (all, name: string, rest: string | undefined) =>
      voidElements.has(name.toLowerCase()) ? all : `<${name}${rest ?? ''}></${name}>`,
    ),
  );
}

/** The content of an HTML document without what a browser does not show, in reading order. */
export function* htmlBlocks(html: string): Generator<Block> {
  yield* new Walk(parse(html).childNodes).blocks();
}

/** A table that is being read. */
interface Table {
  rows: string[][];
  /** Whether all cells of the first row say that they are headers. */
  header: boolean;
  cell: string | null;
}

type Step = { enter: Node } | { leave: Element };

/** Walks the tree without recursion: a page of 200,000 nested elements must not end the stack. */
class Walk {
  readonly #steps: Step[];
  #text = '';
  /** Elements around the current place that say what kind of block its text is. */
  readonly #kinds: Pick<Block, 'kind' | 'level'>[] = [];
  /** The innermost table, when its cells are one line each. */
  #table: Table | null = null;

  readonly #isAround: (element: Element) => boolean;

  constructor(nodes: Node[], isAround: (element: Element) => boolean = () => false) {
    this.#isAround = isAround;
    this.#steps = nodes.toReversed().map((enter) => ({ enter }));
  }

  *blocks(): Generator<Block> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      if ('leave' in step) yield* this.#leave(step.leave);
      else if (step.enter.nodeName === '#text') this.#write('value' in step.enter ? step.enter.value : '');
      else if ('tagName' in step.enter && !isHidden(step.enter) && !this.#isAround(step.enter))
        yield* this.#enter(step.enter);
    }
    yield* this.#flush();
  }

  *#enter(element: Element): Generator<Block> {
    const { tagName } = element;
    if (tagName === 'br') return this.#write('\n');
    if (tagName === 'wbr') return;
    if (this.#table) this.#enterInTable(element, this.#table);
    else if (tagName === 'table' && isDataTable(element)) {
      yield* this.#flush();
      this.#table = { rows: [], header: false, cell: null };
    } else if (!inline.has(tagName)) {
      yield* this.#flush();
      const kind = kindOf(tagName);
      if (kind) this.#kinds.push(kind);
    }
    this.#steps.push({ leave: element });
    for (const child of element.childNodes.toReversed()) this.#steps.push({ enter: child });
  }

  #enterInTable(element: Element, table: Table): void {
    const { tagName } = element;
    if (tagName === 'tr') table.rows.push([]);
    else if (tagName === 'td' || tagName === 'th') {
      table.cell = '';
      if (table.rows.length === 1 && table.rows[0]?.length === 0) table.header = tagName === 'th';
      else if (table.rows.length === 1 && tagName === 'td') table.header = false;
    } else if (!inline.has(tagName)) this.#write(' ');
  }

  *#leave(element: Element): Generator<Block> {
    const { tagName } = element;
    const table = this.#table;
    if (table) {
      if (tagName === 'table') {
        this.#table = null;
        const rows = table.rows.filter((row) => row.some((cell) => cell.trim() !== ''));
        yield* tableBlocks(rows, { header: table.header && table.rows[0] === rows[0] ? true : undefined });
      } else if (tagName === 'td' || tagName === 'th') {
        table.rows.at(-1)?.push(table.cell ?? '');
        table.cell = null;
      } else if (tagName === 'caption' && table.cell !== null) {
        yield { kind: 'paragraph', text: table.cell };
        table.cell = null;
      } else if (!inline.has(tagName)) this.#write(' ');
      return;
    }
    if (inline.has(tagName)) return;
    yield* this.#flush();
    if (kindOf(tagName)) this.#kinds.pop();
  }

  #write(text: string): void {
    if (!this.#table) this.#text += text;
    else if (this.#table.cell !== null) this.#table.cell += text;
    else if (text.trim() !== '') this.#table.cell = text;
  }

  *#flush(): Generator<Block> {
    const text = this.#text;
    this.#text = '';
    if (text.trim() !== '') yield { ...(this.#kinds.at(-1) ?? { kind: 'paragraph' }), text };
  }
}

function letterCount(blocks: readonly Block[]): number {
  return blocks.reduce((count, { text }) => count + text.trim().length, 0);
}

function kindOf(tagName: string): Pick<Block, 'kind' | 'level'> | null {
  const level = /^h([1-6])$/.exec(tagName)?.[1];
  if (level) return { kind: 'heading', level: Number(level) };
  if (tagName === 'li' || tagName === 'dt' || tagName === 'dd') return { kind: 'item' };
  if (tagName === 'pre' || tagName === 'listing' || tagName === 'xmp') return { kind: 'code' };
  return null;
}

/** A table with another one inside, or with one column, is layout: its cells are read as paragraphs. */
function isDataTable(table: Element): boolean {
  let widest = 0;
  const rest: Element[] = [table];
  for (let element = rest.pop(); element; element = rest.pop()) {
    let cells = 0;
    for (const child of element.childNodes) {
      if (!('tagName' in child)) continue;
      if (child.tagName === 'table') return false;
      if (child.tagName === 'td' || child.tagName === 'th') cells++;
      rest.push(child);
    }
    widest = Math.max(widest, cells);
  }
  return widest > 1;
}

function isHidden({ tagName, attrs }: Element): boolean {
  if (skipped.has(tagName)) return true;
  return attrs.some(({ name, value }) => {
    if (name === 'hidden') return value !== 'until-found';
    if (name === 'aria-hidden') return value === 'true';
    if (name === 'role') return /^(navigation|search|menu|menubar)$/.test(value);
    // References of a converted Word file, which its pages show as small numbers.
    if (name === 'id' && tagName === 'a') return /^(footnote|endnote)-ref-/.test(value);
    if (name === 'href') return /^#(footnote|endnote)-ref-/.test(value);
    return (
      name === 'style' && /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9]))/i.test(value)
    );
  });
}
