import { gaps } from '../reasons.ts';
import { type OfficePackage, withOfficePackage } from './opc.ts';
import type { Parser } from './parser.ts';
import { writeSheet } from './sheet.ts';
import { sharedStrings, sheetCells } from './xlsx-cells.ts';
import { fillMerges, readExtras } from './xlsx-extras.ts';
import { cellFormats } from './xlsx-formats.ts';

/**
 * Excel: the visible sheets, their cells as the program shows them, formulas as their last result; comments and text
 * boxes after them. Of a hidden sheet it is said that it was not read.
 */
export const parseXlsx: Parser = ({ path, limits }, sink) =>
  withOfficePackage(path, limits, async (office) => {
    const sheets = await readExtras(office);
    const show = await readShared(office);
    const shown = sheets.filter(({ isHidden }) => !isHidden);
    let left = limits.rows;
    for (const [done, { name, part, isChart, merges, blocks }] of shown.entries()) {
      const bytes = isChart || part === undefined ? null : await office.bytes(part);
      const rows = bytes
        ? await writeSheet(fillMerges(sheetCells(bytes, show), merges), { name, maxRows: left }, sink)
        : 0;
      left -= rows;
      for (const [place, block] of blocks.entries())
        sink.block({ ...block, ...(rows === 0 && place === 0 && { part: name }) });
      sink.progress(done + 1, shown.length);
    }
    for (const { name, part, isChart, isHidden } of sheets) {
      const bytes = isHidden && !isChart && part !== undefined ? await office.bytes(part) : null;
      // Programs hide sheets of their own that are empty.
      if (bytes?.includes('</'))
        for (const _row of sheetCells(bytes, show)) {
          sink.unreadable({ why: gaps['hidden-sheet'](name) });
          break;
        }
    }
  });

async function readShared(office: OfficePackage) {
  const { name, root } = await office.main();
  const relations = await office.relations(name);
  const target = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const [styles, strings] = [target('styles'), target('sharedStrings')];
  return {
    strings: sharedStrings(strings === undefined ? null : await office.bytes(strings)),
    formats: cellFormats(styles === undefined ? null : await office.part(styles), root),
  };
}
