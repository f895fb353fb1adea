import type { Block } from '../document.ts';
import { tableBlocks } from './table.ts';
import { attribute, descend, elementsOf, findAll, textIn, type XmlElement } from './xml.ts';

export interface OpenDocument {
  /** What embedded charts say, by their reference. */
  objects: ReadonlyMap<string, Block[]>;
}

/** Not read where they stand: lists of changes and of indices, notes of a slide (read after it), forms. */
const skipped = new Set(
  'tracked-changes forms notes annotation-end sequence-decls index-title-template desc'.split(' '),
);

interface Run {
  text: string;
  /** Notes, comments and frames that stand in the paragraph. */
  after: Block[];
}

/** The blocks of a part of an OpenDocument file: a text, a slide, a frame, a cell. */
export function storyBlocks(story: XmlElement | undefined, document: OpenDocument): Block[] {
  return elementsOf(story).flatMap((element) => blocksOf(element, document));
}

function blocksOf(element: XmlElement, document: OpenDocument): Block[] {
  const { name } = element;
  if (skipped.has(name)) return [];
  if (name === 'h' || name === 'p') {
    const run = readRun(element, document);
    const level = Math.min(Math.max(Number(attribute(element, 'outline-level') ?? 1), 1), 6);
    return [
      name === 'h' ? { kind: 'heading', level, text: run.text } : { kind: 'paragraph', text: run.text },
      ...run.after,
    ];
  }
  if (name === 'list-item' || name === 'list-header')
    return storyBlocks(element, document).map((block) =>
      block.kind === 'paragraph' ? { ...block, kind: 'item' } : block,
    );
  if (name === 'table') return textTable(element, document);
  if (name === 'annotation') return comment(element);
  if (name === 'object') return [...(document.objects.get(attribute(element, 'href') ?? '') ?? [])];
  const isTitle = name === 'frame' && attribute(element, 'presentation:class') === 'title';
  const blocks = storyBlocks(element, document);
  if (!isTitle) return blocks;
  return blocks.map((block) => (block.kind === 'paragraph' ? { kind: 'heading', level: 1, text: block.text } : block));
}

function readRun(element: XmlElement, document: OpenDocument): Run {
  const run: Run = { text: '', after: [] };
  for (const child of element.children) {
    if (typeof child === 'string') run.text += child;
    else if (child.name === 's') run.text += ' ';
    else if (child.name === 'tab' || child.name === 'line-break') run.text += ' ';
    else if (child.name === 'note') run.after.push(...storyBlocks(descend(child, 'note-body'), document));
    else if (child.name === 'annotation') run.after.push(...comment(child));
    else if (child.name === 'ruby') run.text += textIn(descend(child, 'ruby-base'));
    else if (holdsBlocks(child)) run.after.push(...blocksOf(child, document));
    else if (!skipped.has(child.name)) {
      const inner = readRun(child, document);
      run.text += inner.text;
      run.after.push(...inner.after);
    }
  }
  return run;
}

function holdsBlocks({ name }: XmlElement): boolean {
  return /^(frame|custom-shape|rect|ellipse|g|line|connector|polygon|path|circle|a-frame)$/.test(name);
}

function comment(annotation: XmlElement): Block[] {
  const author = textIn(descend(annotation, 'creator')).trim();
  const text = findAll(annotation, 'p').map(textIn).join(' ');
  return text.trim() === '' ? [] : [{ kind: 'paragraph', text: `Comment${author ? ` (${author})` : ''}: ${text}` }];
}

interface Row {
  isHeader: boolean;
  cells: Block[][];
  /** Of cells that are several columns wide, by their first column: their last one. */
  spans: Map<number, number>;
}

/** A table of a text; tables inside a cell follow their row. */
function textTable(table: XmlElement, document: OpenDocument): Block[] {
  const rows = [...rowsOf(table, document, false)];
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (widest <= 1) return rows.flatMap(({ cells }) => cells.flat());
  const texts = rows.map(({ cells }) =>
    cells.map((blocks) =>
      blocks
        .filter(({ kind }) => kind !== 'row')
        .map(({ text }) => text)
        .join(' '),
    ),
  );
  return tableBlocks(texts, { header: rows[0]?.isHeader || undefined, spans: rows.map(({ spans }) => spans) }).flatMap(
    (block, index) => [block, ...(rows[index]?.cells.flat().filter(({ kind }) => kind === 'row') ?? [])],
  );
}

function* rowsOf(table: XmlElement, document: OpenDocument, isHeader: boolean): Generator<Row> {
  for (const child of elementsOf(table)) {
    if (child.name === 'table-row') {
      const spans = new Map<number, number>();
      const cells = elementsOf(child)
        .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
        .map((cell, column) => {
          const width = Number(attribute(cell, 'number-columns-spanned') ?? 1);
          if (width > 1) spans.set(column, column + width - 1);
          return storyBlocks(cell, document);
        });
      yield { isHeader, cells, spans };
    } else if (/^table-(header-rows|rows|row-group)$/.test(child.name)) {
      yield* rowsOf(child, document, isHeader || child.name === 'table-header-rows');
    }
  }
}
