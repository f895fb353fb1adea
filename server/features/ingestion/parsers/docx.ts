import type { Block } from '../document.ts';
import { ParseFailure } from '../reasons.ts';
import { storyBlocks } from './docx-body.ts';
import { WordStyles } from './docx-styles.ts';
import { graphicBlocks, type OfficePackage, type Relation, withOfficePackage } from './opc.ts';
import type { Parser } from './parser.ts';
import { joinSentences } from './sentences.ts';
import { attribute, descend, elementsOf, findAll, type XmlElement } from './xml.ts';

/**
 * Word: headings, paragraphs, numbered lists, tables (also nested), text boxes, footnotes, endnotes, comments,
 * formulas, charts and diagrams, headers and footers. What was deleted while changes were tracked is left out.
 */
export const parseDocx: Parser = async ({ path, limits }, sink) => {
  const blocks = await withOfficePackage(path, limits, async (office) => {
    const { name, root } = await office.main();
    const relations = await office.relations(name);
    const body = descend(root, 'body');
    if (!body) throw ParseFailure.of('damaged');
    const part = async (type: string) => {
      const found = relations.find((relation) => relation.type === type);
      return found ? office.part(found.target) : null;
    };
    const styles = new WordStyles(await part('styles'), await part('numbering'));
    const graphics = await graphicsOf(office, body, relations);
    const none = { notes: new Map(), graphics };
    const notes = new Map([
      ...notesOf(await part('footnotes'), 'footnote', (note) => storyBlocks(note, styles, none)),
      ...notesOf(await part('endnotes'), 'endnote', (note) => storyBlocks(note, styles, none)),
      ...notesOf(await part('comments'), 'comment', (note) => commentBlocks(note, storyBlocks(note, styles, none))),
    ]);
    const inBody = joinSentences(storyBlocks(body, styles, { notes, graphics }));
    const margins = await marginBlocks(office, relations, (story) => storyBlocks(story, styles, none));
    const said = new Set(inBody.map(({ text }) => lineOf(text)));
    return [...inBody, ...margins.filter(({ text }) => !said.has(lineOf(text)))];
  });
  for (const block of blocks) sink.block(block);
};

/** Charts and diagrams by the drawing that shows them. */
async function graphicsOf(
  office: OfficePackage,
  body: XmlElement,
  relations: readonly Relation[],
): Promise<Map<XmlElement, Block[]>> {
  const graphics = new Map<XmlElement, Block[]>();
  for (const drawing of findAll(body, 'drawing')) {
    const blocks = await graphicBlocks(office, drawing, relations);
    if (blocks.length > 0) graphics.set(drawing, blocks);
  }
  return graphics;
}

function notesOf(
  root: XmlElement | null,
  kind: string,
  read: (note: XmlElement) => Block[],
): [key: string, blocks: Block[]][] {
  return (
    elementsOf(root ?? undefined, kind)
      // The lines that separate notes from the text are kept as notes, too.
      .filter((note) => !/separator|continuation/i.test(attribute(note, 'type') ?? ''))
      .map((note) => [`${kind} ${attribute(note, 'id')}`, read(note)])
  );
}

function commentBlocks(comment: XmlElement, blocks: Block[]): Block[] {
  const author = attribute(comment, 'author')?.trim();
  const text = blocks.map((block) => block.text).join(' ');
  return text.trim() === '' ? [] : [{ kind: 'paragraph', text: `Comment${author ? ` (${author})` : ''}: ${text}` }];
}

/** Headers and footers, each text once, for the end: they name the document, its version, its status. */
async function marginBlocks(
  office: OfficePackage,
  relations: readonly Relation[],
  read: (story: XmlElement) => Block[],
): Promise<Block[]> {
  const margins = new Map<string, Block>();
  for (const { type, target } of relations) {
    if (type !== 'header' && type !== 'footer') continue;
    const story = await office.part(target);
    for (const { text } of story ? read(story) : []) {
      const line = lineOf(text);
      if (!isPageNumber(line)) margins.set(line, { kind: 'paragraph', text });
    }
  }
  return [...margins.values()];
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** "Page 3 of 12", also where the fields with the numbers are empty. */
function isPageNumber(line: string): boolean {
  const rest = line.replace(/^(?:page|seite|blatt|página|pagina)\b(?:[\d\s./|–-]|\b(?:of|von|sur|de|di)\b)*$/iu, '');
  return !/\p{L}{2}/u.test(rest);
}
