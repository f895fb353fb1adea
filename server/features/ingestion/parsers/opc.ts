import { type Archive, type ArchiveLimits, withArchive } from '../archive.ts';
import type { Block } from '../document.ts';
import { ParseFailure } from '../reasons.ts';
import { tableBlocks } from './table.ts';
import { attribute, descend, elementsOf, findAll, parseXml, textIn, type XmlElement } from './xml.ts';

/** What a part of an office file refers to. */
export interface Relation {
  id: string;
  /** The last word of its type: `slide`, `comments`, `chart`. */
  type: string;
  /** Name of the part. */
  target: string;
}

/** The parts of a Word, Excel or PowerPoint file, and how they hang together (ECMA-376, part 2). */
export interface OfficePackage {
  readonly names: readonly string[];
  /** Null when there is none of that name. @throws ParseFailure `damaged`, `too-deep` */
  part(name: string): Promise<XmlElement | null>;
  bytes(name: string): Promise<Buffer | null>;
  relations(part: string): Promise<Relation[]>;
  /** The part that the file is about. */
  main(): Promise<{ name: string; root: XmlElement }>;
}

export function withOfficePackage<T>(
  path: string,
  limits: ArchiveLimits,
  use: (office: OfficePackage) => Promise<T>,
): Promise<T> {
  return withArchive(path, limits, (archive) => use(officePackage(archive)));
}

function officePackage(archive: Archive): OfficePackage {
  // Names are compared without regard to case, and some programs write backslashes.
  const names = new Map(archive.names.map((name) => [partKey(name), name]));

  async function bytes(name: string): Promise<Buffer | null> {
    const entry = names.get(partKey(name));
    return entry === undefined ? null : archive.read(entry);
  }

  async function part(name: string): Promise<XmlElement | null> {
    const found = await bytes(name);
    return found ? parseXml(found) : null;
  }

  async function relations(of: string): Promise<Relation[]> {
    const folder = of.slice(0, of.lastIndexOf('/') + 1);
    const root = await part(`${folder}_rels/${of.slice(folder.length)}.rels`);
    return elementsOf(root ?? undefined, 'Relationship')
      .filter((element) => attribute(element, 'TargetMode') !== 'External')
      .map((element) => ({
        id: attribute(element, 'Id') ?? '',
        type: (attribute(element, 'Type') ?? '').split('/').at(-1) ?? '',
        target: resolvePart(folder, attribute(element, 'Target') ?? ''),
      }));
  }

  return {
    names: archive.names,
    bytes,
    part,
    relations,
    async main() {
      const name = (await relations('')).find(({ type }) => type === 'officeDocument')?.target;
      const root = name === undefined ? null : await part(name);
      if (name === undefined || !root) throw ParseFailure.of('damaged');
      return { name, root };
    },
  };
}

/** What a chart or a diagram says: its title, and its numbers as the file keeps them. */
export async function graphicBlocks(
  office: OfficePackage,
  graphic: XmlElement,
  relations: readonly Relation[],
): Promise<Block[]> {
  const targetOf = (id: string | undefined) => relations.find((relation) => relation.id === id)?.target;
  const blocks: Block[] = [];
  for (const chart of findAll(graphic, 'chart')) {
    const target = targetOf(attribute(chart, 'r:id') ?? attribute(chart, 'id'));
    const root = target === undefined ? null : await office.part(target);
    if (root) blocks.push(...chartBlocks(root));
  }
  for (const ids of findAll(graphic, 'relIds')) {
    const target = targetOf(attribute(ids, 'r:dm') ?? attribute(ids, 'dm'));
    const root = target === undefined ? null : await office.part(target);
    for (const point of findAll(root ?? undefined, 'pt')) {
      const text = paragraphTexts(descend(point, 't')).join(' ');
      if (text.trim() !== '') blocks.push({ kind: 'item', text });
    }
  }
  return blocks;
}

/** The texts of DrawingML paragraphs below an element. */
export function paragraphTexts(element: XmlElement | undefined): string[] {
  return findAll(element, 'p').map((paragraph) =>
    elementsOf(paragraph)
      .map((run) => (run.name === 'br' || run.name === 'tab' ? ' ' : run.name === 'pPr' ? '' : runText(run)))
      .join(''),
  );
}

function runText(run: XmlElement): string {
  return run.name === 't' ? textIn(run) : findAll(run, 't').map(textIn).join('');
}

/** A chart as its title and a table: a row for each category, a column for each series. */
function chartBlocks(root: XmlElement): Block[] {
  const chart = findAll(root, 'chart')[0] ?? root;
  const title = paragraphTexts(descend(chart, 'title')).join(' ');
  const series = findAll(descend(chart, 'plotArea'), 'ser').map((one) => ({
    name: pointsOf(descend(one, 'tx')).get(0) ?? textIn(descend(one, 'tx', 'v')),
    categories: pointsOf(descend(one, 'cat') ?? descend(one, 'xVal')),
    values: pointsOf(descend(one, 'val') ?? descend(one, 'yVal')),
  }));
  const categories = series.find((one) => one.categories.size > 0)?.categories ?? new Map<number, string>();
  const indices = [...new Set(series.flatMap((one) => [...one.values.keys()]))].sort((a, b) => a - b);
  const rows = indices.map((index) => [
    categories.get(index) ?? String(index + 1),
    ...series.map((one) => one.values.get(index) ?? ''),
  ]);
  const names = ['', ...series.map(({ name }) => name)];
  return [
    ...(title.trim() === '' ? [] : [{ kind: 'paragraph' as const, text: title }]),
    ...(names.some((name) => name.trim() !== '')
      ? tableBlocks([names, ...rows], { header: true })
      : tableBlocks(rows, { header: false })),
  ];
}

function pointsOf(element: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>();
  for (const point of findAll(element, 'pt')) {
    const text = elementsOf(point, 'v').map(textIn).join(' ');
    points.set(Number(attribute(point, 'idx') ?? points.size), shortNumber(text));
  }
  return points;
}

/** 15 digits are what a spreadsheet keeps: 0.30000000000000004 is 0.3 there. */
function shortNumber(text: string): string {
  return /^-?\d+\.\d{15,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : text;
}

function partKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function resolvePart(folder: string, target: string): string {
  const steps: string[] = [];
  const path = target.startsWith('/') ? target : folder + target;
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
