import {
  AlignmentType,
  Document,
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { List, PhrasingContent, RootContent, Table as TableNode } from 'mdast';
import { parseMarkdown, type Run, runsOf } from './markdown.ts';
import { stableZip } from './zip.ts';

const headings = [HeadingLevel.TITLE, HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];

/** A Word document with real headings, lists, tables, footnotes, a running header and page numbers. */
export async function buildDocx(source: string, { header }: { header: string }): Promise<Uint8Array> {
  const { children } = parseMarkdown(source);
  const notes = new Map<string, number>();
  const footnotes: Record<string, { children: Paragraph[] }> = {};
  for (const node of children) {
    if (node.type !== 'footnoteDefinition') continue;
    const number = notes.size + 1;
    notes.set(node.identifier, number);
    footnotes[number] = {
      children: node.children.flatMap((each) => (each.type === 'paragraph' ? [paragraph(each.children, notes)] : [])),
    };
  }
  let lists = 0;
  const body = children.flatMap((node) => blocks(node, notes, () => ++lists));
  const document = new Document({
    title: header,
    creator: 'Nordwind Logistics',
    footnotes,
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 }, paragraph: { spacing: { after: 140, line: 288 } } },
        title: { run: { size: 48, bold: true, color: '1B3A4B' }, paragraph: { spacing: { after: 320 } } },
        heading1: {
          run: { size: 32, bold: true, color: '1B3A4B' },
          paragraph: { spacing: { before: 400, after: 160 } },
        },
        heading2: {
          run: { size: 26, bold: true, color: '1B3A4B' },
          paragraph: { spacing: { before: 280, after: 120 } },
        },
      },
    },
    numbering: {
      config: [
        {
          reference: 'steps',
          levels: [0, 1].map((level) => ({
            level,
            format: LevelFormat.DECIMAL,
            text: `%${level + 1}.`,
            alignment: AlignmentType.START,
            style: { paragraph: { indent: { left: 500 + 400 * level, hanging: 360 } } },
          })),
        },
      ],
    },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph({ text: header, alignment: AlignmentType.END })] }) },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [new TextRun({ children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] })],
              }),
            ],
          }),
        },
        children: body,
      },
    ],
  });
  const bytes = await Packer.toBuffer(document);
  return stableZip(new Uint8Array(bytes), (name, text) =>
    name === 'docProps/core.xml' ? text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T08:00:00Z') : text,
  );
}

function blocks(node: RootContent, notes: Map<string, number>, nextList: () => number): (Paragraph | Table)[] {
  switch (node.type) {
    case 'heading':
      return [new Paragraph({ heading: headings[node.depth - 1], children: textRuns(runsOf(node.children), notes) })];
    case 'paragraph':
      return [paragraph(node.children, notes)];
    case 'list':
      return listItems(node, notes, nextList, 0);
    case 'blockquote':
      return node.children.flatMap((each) =>
        each.type === 'paragraph'
          ? [new Paragraph({ indent: { left: 400 }, children: textRuns(runsOf(each.children), notes) })]
          : [],
      );
    case 'table':
      return [table(node, notes), new Paragraph({ text: '' })];
    case 'footnoteDefinition':
      return [];
    default:
      throw new Error(`samples do not use "${node.type}"`);
  }
}

function paragraph(children: readonly PhrasingContent[], notes: Map<string, number>): Paragraph {
  return new Paragraph({ children: textRuns(runsOf(children), notes) });
}

function listItems(list: List, notes: Map<string, number>, nextList: () => number, level: number): Paragraph[] {
  const kind = list.ordered
    ? { numbering: { reference: 'steps', instance: nextList(), level } }
    : { bullet: { level } };
  return list.children.flatMap((item) =>
    item.children.flatMap((each) => {
      if (each.type === 'paragraph')
        return [new Paragraph({ ...kind, children: textRuns(runsOf(each.children), notes) })];
      return each.type === 'list' ? listItems(each, notes, nextList, level + 1) : [];
    }),
  );
}

function table(node: TableNode, notes: Map<string, number>): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: node.children.map(
      (row, index) =>
        new TableRow({
          tableHeader: index === 0,
          cantSplit: true,
          children: row.children.map(
            (cell) =>
              new TableCell({
                margins: { top: 60, bottom: 60, left: 100, right: 100 },
                ...(index === 0 && { shading: { fill: 'E3ECF0' } }),
                children: [
                  new Paragraph({
                    spacing: { after: 0 },
                    children: textRuns(runsOf(cell.children, { bold: index === 0, italic: false }), notes),
                  }),
                ],
              }),
          ),
        }),
    ),
  });
}

function textRuns(runs: readonly Run[], notes: Map<string, number>): (TextRun | FootnoteReferenceRun)[] {
  return runs.map(({ text, bold, italic, note }) => {
    if (note === undefined) return new TextRun({ text, bold, italics: italic });
    const number = notes.get(note);
    if (number === undefined) throw new Error(`there is no footnote "${note}"`);
    return new FootnoteReferenceRun(number);
  });
}
