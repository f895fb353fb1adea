import { type Archive, withArchive } from '../archive.ts';
import { gaps, ParseFailure } from '../reasons.ts';
import { xhtmlBlocks } from './html.ts';
import type { Parser } from './parser.ts';
import { attribute, descend, elementsOf, findAll, parseXml, textIn, type XmlElement } from './xml.ts';

interface Item {
  path: string;
  properties: string;
}

/** A book in its reading order; a chapter that the table of contents names begins a part. */
export const parseEpub: Parser = async ({ path, limits }, sink) => {
  await withArchive(path, limits, async (archive) => {
    const container = await xmlOf(archive, 'META-INF/container.xml');
    const opf = attribute(findAll(container, 'rootfile')[0], 'full-path');
    if (opf === undefined) throw ParseFailure.of('damaged');
    const book = await xmlOf(archive, opf);
    const items = new Map<string, Item>(
      findAll(descend(book, 'manifest'), 'item').map((item) => [
        attribute(item, 'id') ?? '',
        { path: resolve(opf, attribute(item, 'href')), properties: attribute(item, 'properties') ?? '' },
      ]),
    );
    const locked = await lockedPaths(archive);
    const titles = await chapterTitles(archive, book, items);
    const spine = findAll(descend(book, 'spine'), 'itemref').flatMap(
      (reference) => items.get(attribute(reference, 'idref') ?? '') ?? [],
    );
    for (const [done, item] of spine.entries()) {
      const bytes = await archive.read(item.path);
      if (locked.has(item.path)) throw ParseFailure.of('copy-protected');
      let part = titles.get(item.path);
      // The table of contents is no text of the book.
      if (bytes && !item.properties.split(' ').includes('nav'))
        for (const block of xhtmlBlocks(bytes)) {
          sink.block({ ...block, ...(part !== undefined && { part }) });
          part = undefined;
        }
      else if (!bytes) sink.unreadable({ why: gaps.chapter(item.path) });
      sink.progress(done + 1, spine.length);
    }
  });
};

/** Titles of the chapters by their file: from the navigation document, or from the older table of contents. */
async function chapterTitles(
  archive: Archive,
  book: XmlElement,
  items: ReadonlyMap<string, Item>,
): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  const add = (from: string, href: string | undefined, title: string) => {
    const path = resolve(from, href?.split('#')[0]);
    if (title.trim() !== '' && !titles.has(path)) titles.set(path, title);
  };
  const navigation = [...items.values()].find(({ properties }) => properties.split(' ').includes('nav'));
  const nav = navigation && (await xmlOf(archive, navigation.path).catch(() => undefined));
  if (navigation && nav) {
    const list = findAll(nav, 'nav').find((each) => attribute(each, 'epub:type') === 'toc') ?? findAll(nav, 'nav')[0];
    for (const link of findAll(list, 'a')) add(navigation.path, attribute(link, 'href'), textIn(link));
    if (titles.size > 0) return titles;
  }
  const toc = items.get(attribute(descend(book, 'spine'), 'toc') ?? '')?.path;
  const ncx = toc === undefined ? undefined : await xmlOf(archive, toc).catch(() => undefined);
  const points = (above: XmlElement | undefined): XmlElement[] =>
    elementsOf(above, 'navPoint').flatMap((point) => [point, ...points(point)]);
  for (const point of points(descend(ncx, 'navMap')))
    add(toc ?? '', attribute(descend(point, 'content'), 'src'), textIn(descend(point, 'navLabel')));
  return titles;
}

/** Files that a shop has encrypted. Fonts are always allowed to be. */
async function lockedPaths(archive: Archive): Promise<Set<string>> {
  const bytes = await archive.read('META-INF/encryption.xml');
  const references = bytes ? findAll(parseXml(bytes), 'CipherReference') : [];
  return new Set(references.map((reference) => decodePath(attribute(reference, 'URI') ?? '')));
}

async function xmlOf(archive: Archive, name: string): Promise<XmlElement> {
  const bytes = await archive.read(name);
  if (!bytes) throw ParseFailure.of('damaged');
  return parseXml(bytes);
}

function resolve(from: string, href: string | undefined): string {
  const steps = from.split('/').slice(0, -1);
  for (const step of decodePath(href ?? '').split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
