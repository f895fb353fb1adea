import type { Block } from '../document.ts';
import type { WordStyles } from './docx-styles.ts';
import { tableBlocks } from './table.ts';
import { attribute, descend, elementsOf, findAll, textIn, type XmlElement } from './xml.ts';

/** What stands elsewhere in the file, and belongs where it is referred to. */
export interface Elsewhere {
  /** Blocks of a footnote, endnote or comment: `footnote 3`. */
  notes: ReadonlyMap<string, Block[]>;
  /** Blocks of a drawing that is a chart or a diagram. */
  graphics: ReadonlyMap<XmlElement, Block[]>;
}

/** What a paragraph holds: its text, and what follows it: its notes, comments, text boxes and charts. */
interface Run {
  text: string;
  after: Block[];
}

/** Elements that only hold others. */
const wrappers = new Set('ins moveTo hyperlink smartTag sdt sdtContent customXml fldSimple dir bdo'.split(' '));
const breaks = new Set(['tab', 'br', 'cr', 'ptab']);

/** The blocks of a Word story: the body, a note, a text box, a header. */
export function storyBlocks(story: XmlElement, styles: WordStyles, elsewhere: Elsewhere): Block[] {
  return elementsOf(story).flatMap((element) => {
    if (element.name === 'p') return paragraphBlocks(element, styles, elsewhere);
    if (element.name === 'tbl') return wordTableBlocks(element, styles, elsewhere);
    return wrappers.has(element.name) ? storyBlocks(element, styles, elsewhere) : [];
  });
}

function paragraphBlocks(paragraph: XmlElement, styles: WordStyles, elsewhere: Elsewhere): Block[] {
  const run = readRun(paragraph, (box) => storyBlocks(box, styles, elsewhere), elsewhere);
  if (run.text.trim() === '') return run.after;
  const { level, isItem, number } = styles.kindOf(descend(paragraph, 'pPr'));
  const text = number === '' ? run.text : `${number} ${run.text}`;
  const kind = isItem ? 'item' : 'paragraph';
  return [level === undefined ? { kind, text } : { kind: 'heading', level, text }, ...run.after];
}

function readRun(element: XmlElement, box: (content: XmlElement) => Block[], elsewhere: Elsewhere): Run {
  const run: Run = { text: '', after: [] };
  const add = (other: Run) => {
    run.text += other.text;
    run.after.push(...other.after);
  };
  for (const child of elementsOf(element)) {
    const { name } = child;
    if (name === 't') run.text += textIn(child);
    else if (breaks.has(name)) run.text += ' ';
    else if (name === 'noBreakHyphen') run.text += '-';
    else if (name === 'sym') run.text += symbol(child);
    else if (name === 'oMath') run.text += mathText(child);
    else if (name === 'ruby') run.text += rubyText(child);
    else if (name === 'AlternateContent') add(readRun(alternative(child), box, elsewhere));
    else if (name === 'footnoteReference' || name === 'endnoteReference' || name === 'commentReference')
      run.after.push(...(elsewhere.notes.get(`${name.replace('Reference', '')} ${attribute(child, 'id')}`) ?? []));
    else if (name === 'drawing' || name === 'pict' || name === 'object') {
      run.after.push(...findAll(child, 'txbxContent').flatMap(box), ...(elsewhere.graphics.get(child) ?? []));
    } else if (name === 'r' || name === 'oMathPara' || wrappers.has(name)) add(readRun(child, box, elsewhere));
  }
  return run;
}

/** The first of several ways to draw the same: reading each would double its words. */
function alternative(element: XmlElement): XmlElement {
  const [choice] = elementsOf(element, 'Choice');
  const [fallback] = elementsOf(element, 'Fallback');
  const hasText = findAll(choice, 'txbxContent').length > 0 || findAll(choice, 't').length > 0;
  return (hasText ? choice : (fallback ?? choice)) ?? element;
}

function symbol(element: XmlElement): string {
  const code = Number.parseInt(attribute(element, 'char') ?? '', 16);
  // Codes of symbol fonts stand in the private area; they mean nothing outside their font.
  return code >= 32 && code < 0xd800 ? String.fromCharCode(code) : '';
}

function rubyText(ruby: XmlElement): string {
  const base = findAll(descend(ruby, 'rubyBase'), 't').map(textIn).join('');
  const reading = findAll(descend(ruby, 'rt'), 't').map(textIn).join('');
  return reading === '' ? base : `${base} (${reading})`;
}

/** A formula on one line: `x^2`, `a_i`, `(a)/(b)`, `√(x)`. */
function mathText(element: XmlElement): string {
  const inside = (name: string) => elementsOf(element, name).map(mathText).join('');
  const small = (name: string) => (inside(name).length > 1 ? `(${inside(name)})` : inside(name));
  switch (element.name) {
    case 't':
      return textIn(element);
    case 'f':
      return `(${inside('num')})/(${inside('den')})`;
    case 'sSup':
      return `${inside('e')}^${small('sup')}`;
    case 'sSub':
      return `${inside('e')}_${small('sub')}`;
    case 'sSubSup':
      return `${inside('e')}_${small('sub')}^${small('sup')}`;
    case 'rad':
      return `√(${inside('e')})`;
    case 'nary':
      return `${attribute(descend(element, 'naryPr', 'chr'), 'val') ?? '∫'}_${small('sub')}^${small('sup')} ${inside('e')}`;
    case 'd':
      return `(${inside('e')})`;
    default:
      return elementsOf(element).map(mathText).join('');
  }
}

interface Cell {
  text: string;
  /** Tables and headings inside it. */
  blocks: Block[];
  span: number;
  goesOn: boolean;
}

/**
 * A table as rows. One that only lays out a page (a single column, or headings inside) is read as what is in it. Tables
 * inside a cell follow their row; a cell that is merged over several rows counts for each of them.
 */
function wordTableBlocks(table: XmlElement, styles: WordStyles, elsewhere: Elsewhere): Block[] {
  const rows = rowsOf(table).map((row) => ({
    isHeader: descend(row, 'trPr', 'tblHeader') !== undefined,
    cells: cellsOf(row).map((cell) => readCell(cell, styles, elsewhere)),
  }));
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const hasHeading = rows.some(({ cells }) =>
    cells.some(({ blocks }) => blocks.some(({ kind }) => kind === 'heading')),
  );
  if (widest <= 1 || hasHeading) return rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks));
  const above: string[] = [];
  const spans: Map<number, number>[] = [];
  const grid = rows.map(({ cells }) => {
    const texts: string[] = [];
    const wide = new Map<number, number>();
    spans.push(wide);
    for (const { text, span, goesOn } of cells) {
      const at = texts.length;
      if (span > 1) wide.set(at, at + span - 1);
      const shown = goesOn ? (above[at] ?? '') : text;
      texts.push(shown, ...Array<string>(span - 1).fill(''));
      above[at] = shown;
    }
    return texts;
  });
  const isHeader = rows[0]?.isHeader ? true : undefined;
  const made = tableBlocks(grid, { header: isHeader, spans });
  return made.flatMap((block, index) => [block, ...(rows[index]?.cells.flatMap(({ blocks }) => nested(blocks)) ?? [])]);
}

function readCell(cell: XmlElement, styles: WordStyles, elsewhere: Elsewhere): Cell {
  const blocks = storyBlocks(cell, styles, elsewhere);
  const merge = descend(cell, 'tcPr', 'vMerge');
  return {
    text: blocks
      .filter(({ kind }) => kind !== 'row')
      .map(({ text }) => text)
      .join(' '),
    blocks,
    span: Math.min(Math.max(Number(attribute(descend(cell, 'tcPr', 'gridSpan'), 'val') ?? 1), 1), 100),
    goesOn: merge !== undefined && attribute(merge, 'val') !== 'restart',
  };
}

function nested(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ kind }) => kind === 'row');
}

function rowsOf(table: XmlElement): XmlElement[] {
  return elementsOf(table).flatMap((child) =>
    child.name === 'tr' ? [child] : wrappers.has(child.name) ? rowsOf(child) : [],
  );
}

function cellsOf(row: XmlElement): XmlElement[] {
  return elementsOf(row).flatMap((child) =>
    child.name === 'tc' ? [child] : wrappers.has(child.name) ? cellsOf(child) : [],
  );
}
