/** Shares of a page's width and height: left, top, right, bottom. */
export type PartOfPage = readonly [left: number, top: number, right: number, bottom: number];

/** Of a picture's height, what shows the lines above the passage: there stand the names of its columns. */
const above = 0.68;
/** Of the page's width beside the passage, and at least as a whole: a narrow one is no bigger than needed. */
const beside = 0.03;
const minWidth = 0.5;

/**
 * The part of a page that is shown of a passage.
 *
 * @param passage where it stands
 * @param page height of the page for a width of 1
 * @param picture the same of the picture
 */
export function partAround([left, top, right, bottom]: PartOfPage, page: number, picture: number): PartOfPage {
  const width = Math.min(1, Math.max(minWidth, right - left + 2 * beside));
  const height = Math.min(1, (width * picture) / page);
  const x = Math.min(Math.max((left + right - width) / 2, 0), 1 - width);
  // A passage that is higher than the picture begins at its upper edge.
  const y = Math.min(Math.max(Math.min((top + bottom) / 2 - height * above, top), 0), 1 - height);
  return [x, y, x + width, y + height];
}

/**
 * Of a picture's height, what passages that are shown together may take, so that the names above them are seen, too.
 */
const maxTogether = 0.6;
/** Heights for a width of 1: of a picture, and of a page as narrow as they come. */
const usual = { picture: 0.25, page: 1.42 };

/** What passages of one page take together. */
export function unionOf(passages: readonly PartOfPage[]): PartOfPage {
  return [
    Math.min(...passages.map(([left]) => left)),
    Math.min(...passages.map(([, top]) => top)),
    Math.max(...passages.map(([, , right]) => right)),
    Math.max(...passages.map(([, , , bottom]) => bottom)),
  ];
}

/** Whether one picture has room for all of the passages, whatever the page's format. */
export function holdsAll(passages: readonly PartOfPage[]): boolean {
  const all = unionOf(passages);
  const [, top, , bottom] = partAround(all, usual.page, usual.picture);
  return all[3] - all[1] <= (bottom - top) * maxTogether;
}
