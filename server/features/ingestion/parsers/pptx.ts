import type { Block } from '../document.ts';
import { gaps, ParseFailure } from '../reasons.ts';
import { graphicBlocks, type OfficePackage, paragraphTexts, type Relation, withOfficePackage } from './opc.ts';
import type { Parser } from './parser.ts';
import { tableBlocks } from './table.ts';
import { attribute, descend, elementsOf, findAll, textIn, type XmlElement } from './xml.ts';

/** PowerPoint: each slide with its title, texts, tables, charts, notes and comments; `page` is its number. */
export const parsePptx: Parser = async ({ path, limits }, sink) => {
  await withOfficePackage(path, limits, async (office) => {
    const { name, root } = await office.main();
    const relations = await office.relations(name);
    const authors = await authorsOf(office, relations);
    const slides = elementsOf(descend(root, 'sldIdLst'), 'sldId').flatMap((slide) => {
      const id = attribute(slide, 'r:id') ?? '';
      return relations.find((relation) => relation.id === id)?.target ?? [];
    });
    if (slides.length > limits.pages) throw ParseFailure.of('too-many-pages');
    for (const [index, slide] of slides.entries()) {
      const page = index + 1;
      const blocks = await slideBlocks(office, slide, authors).catch((error: unknown) => {
        if (!(error instanceof ParseFailure)) throw error;
        sink.unreadable({ page, why: gaps.slide });
        return [];
      });
      for (const [place, block] of blocks.entries())
        sink.block({ ...block, page, ...(place === 0 && { part: `Slide ${page}` }) });
      sink.progress(page, slides.length);
    }
    sink.pages(slides.length);
  });
};

async function slideBlocks(
  office: OfficePackage,
  slide: string,
  authors: ReadonlyMap<string, string>,
): Promise<Block[]> {
  const root = await office.part(slide);
  if (!root) throw ParseFailure.of('damaged');
  const relations = await office.relations(slide);
  const shapes = shapesOf(descend(root, 'cSld', 'spTree'));
  const titles = shapes.filter(isTitle);
  const blocks: Block[] = [];
  for (const title of titles) {
    const text = paragraphTexts(descend(title, 'txBody')).join(' ');
    blocks.push({ kind: 'heading', level: 1, text });
  }
  for (const shape of shapes.filter((each) => !titles.includes(each))) {
    if (shape.name === 'graphicFrame') {
      for (const table of findAll(shape, 'tbl')) blocks.push(...slideTable(table));
      blocks.push(...(await graphicBlocks(office, shape, relations)));
    } else blocks.push(...textBlocks(descend(shape, 'txBody'), placeholder(shape) === 'body'));
  }
  for (const { type, target } of relations) {
    const part = type === 'notesSlide' || type === 'comments' ? await office.part(target) : null;
    if (!part) continue;
    if (type === 'comments') blocks.push(...commentBlocks(part, authors));
    else {
      const notes = shapesOf(descend(part, 'cSld', 'spTree'))
        .filter((shape) => placeholder(shape) === 'body')
        .flatMap((shape) => textBlocks(descend(shape, 'txBody'), false));
      if (notes.some(({ text }) => text.trim() !== ''))
        blocks.push({ kind: 'heading', level: 6, text: 'Notes' }, ...notes);
    }
  }
  return blocks.filter(({ text }) => text.trim() !== '');
}

/** Shapes in their order, those of groups included; pictures have none of their words. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return elementsOf(tree).flatMap((shape) => {
    if (shape.name === 'grpSp') return shapesOf(shape);
    if (shape.name === 'AlternateContent')
      return shapesOf(elementsOf(shape, 'Choice')[0] ?? descend(shape, 'Fallback'));
    if (shape.name !== 'sp' && shape.name !== 'graphicFrame') return [];
    // Number, date and footer are the same on every slide.
    return ['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'].includes(placeholder(shape) ?? '') ? [] : [shape];
  });
}

/** What a shape stands in for: `title`, `body`; a placeholder without a type is one for content. */
function placeholder(shape: XmlElement): string | undefined {
  const found = elementsOf(shape).flatMap((child) => findAll(child, 'ph'))[0];
  return found && (attribute(found, 'type') ?? 'body');
}

function isTitle(shape: XmlElement): boolean {
  return ['title', 'ctrTitle'].includes(placeholder(shape) ?? '');
}

/** Paragraphs of a shape; those of a list are items. */
function textBlocks(body: XmlElement | undefined, isList: boolean): Block[] {
  return elementsOf(body, 'p').map((paragraph) => {
    const properties = descend(paragraph, 'pPr');
    const bullet = elementsOf(properties).find(({ name }) => /^bu(None|Char|AutoNum|Blip)$/.test(name))?.name;
    const isItem = bullet ? bullet !== 'buNone' : isList;
    const [text = ''] = paragraphTexts({ name: '', attributes: {}, children: [paragraph] });
    return { kind: isItem ? 'item' : 'paragraph', text };
  });
}

function slideTable(table: XmlElement): Block[] {
  const above: string[] = [];
  const spans: Map<number, number>[] = [];
  const rows = elementsOf(table, 'tr').map((row, index) => {
    const wide = new Map<number, number>();
    spans[index] = wide;
    return elementsOf(row, 'tc').map((cell, column) => {
      const width = Number(attribute(cell, 'gridSpan') ?? 1);
      if (width > 1) wide.set(column, column + width - 1);
      const goesOn = attribute(cell, 'vMerge') === '1' || attribute(cell, 'vMerge') === 'true';
      const text = goesOn ? (above[column] ?? '') : paragraphTexts(descend(cell, 'txBody')).join(' ');
      above[column] = text;
      return text;
    });
  });
  const hasHeader = attribute(descend(table, 'tblPr'), 'firstRow') === '1' && rows.length > 1;
  return tableBlocks(rows, { header: hasHeader || undefined, spans });
}

function commentBlocks(part: XmlElement, authors: ReadonlyMap<string, string>): Block[] {
  return findAll(part, 'cm').map((comment) => {
    const author = authors.get(attribute(comment, 'authorId') ?? '');
    const text = [...elementsOf(comment, 'text').map(textIn), ...paragraphTexts(descend(comment, 'txBody'))].join(' ');
    return { kind: 'paragraph', text: text.trim() && `Comment${author ? ` (${author})` : ''}: ${text}` };
  });
}

async function authorsOf(office: OfficePackage, relations: readonly Relation[]): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { type, target } of relations) {
    const part = type === 'commentAuthors' || type === 'authors' ? await office.part(target) : null;
    for (const author of elementsOf(part ?? undefined))
      authors.set(attribute(author, 'id') ?? '', attribute(author, 'name') ?? '');
  }
  return authors;
}
