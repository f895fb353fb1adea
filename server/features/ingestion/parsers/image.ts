import { ParseFailure } from '../reasons.ts';
import { turnOf } from './exif.ts';
import { Ocr } from './ocr.ts';
import type { Parser } from './parser.ts';

/** A picture of a page, or of several (TIFF): what is written on it. */
export const parseImage: Parser = async ({ path, limits }, sink) => {
  if (!limits.ocr) throw ParseFailure.of('no-text');
  await sink.slow();
  const ocr = new Ocr(path, limits.ocr, await turnOf(path));
  let found = false;
  let pages = 1;
  for (let page = 1; page <= pages; page++) {
    const read = await ocr.read(page);
    pages = Math.max(pages, read.pages);
    if (pages > limits.pages) throw ParseFailure.of('too-many-pages');
    if (read.blocks.length > 0) found = true;
    if (read.why) sink.unreadable({ page, why: read.why });
    for (const block of read.blocks) sink.block(block);
    sink.progress(page, pages);
  }
  if (!found) throw ParseFailure.of('no-text');
  sink.pages(pages);
};
