import { format, getFormatFromId } from 'numfmt';
import { attribute, descend, elementsOf, type XmlElement } from './xml.ts';

/** How the cells of a workbook show their values. */
export interface CellFormats {
  /** @param type of the cell, as the sheet names it; `style` the number of its style */
  show(value: string, cell: { type: string; style: number }): string;
}

/** Dates and times as each reader's own system writes them: here in an order that is the same for everyone. */
const systemDates: Record<number, string> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd h:mm' };
const systemDate = /^\[\$-F800\]/i;
const systemTime = /^\[\$-F400\]/i;
/** Days between the first of 1900 and of 1904, from which workbooks of old Macs count. */
const macDays = 1462;
const maxKept = 5000;

/** @param styles the workbook's styles; null where it has none */
export function cellFormats(styles: XmlElement | null, workbook: XmlElement): CellFormats {
  const from1904 = /^(1|true)$/.test(attribute(descend(workbook, 'workbookPr'), 'date1904') ?? '');
  const own = new Map(
    elementsOf(descend(styles ?? undefined, 'numFmts'), 'numFmt').map((each) => [
      Number(attribute(each, 'numFmtId')),
      attribute(each, 'formatCode') ?? '',
    ]),
  );
  const patterns = elementsOf(descend(styles ?? undefined, 'cellXfs'), 'xf').map((xf) => {
    const id = Number(attribute(xf, 'numFmtId') ?? 0);
    return systemDates[id] ?? plainPattern(own.get(id) ?? getFormatFromId(id) ?? 'General');
  });
  const kept = new Map<string, string>();

  function number(value: string, style: number): string {
    const pattern = patterns[style] ?? 'General';
    const amount = Number(value);
    if (value.trim() === '' || !Number.isFinite(amount)) return value.trim();
    const key = `${style} ${value}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const shown = shownNumber(from1904 && isDate(pattern) ? amount + macDays : amount, pattern);
    if (kept.size < maxKept) kept.set(key, shown);
    return shown;
  }

  return {
    show(value, { type, style }) {
      if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
      if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ');
      if (type !== 'n') return value.trim();
      return number(value, style);
    },
  };
}

function shownNumber(amount: number, pattern: string): string {
  // A narrow column shows the first digits of a long number, and the program all of them above the sheet.
  if (pattern === 'General' && Number.isSafeInteger(amount)) return String(amount);
  try {
    const shown = format(pattern, amount).trim();
    // A cell of hashes is one that is too narrow, or a date before there were any.
    return /^#+$/.test(shown) ? format('General', amount) : shown;
  } catch {
    // A pattern that is no pattern: the program would call the file damaged.
    return format('General', amount);
  }
}

/** A country behind the sign of a currency says where that stands, and not how numbers are written. */
function plainPattern(pattern: string): string {
  if (systemDate.test(pattern)) return 'yyyy-mm-dd';
  if (systemTime.test(pattern)) return 'h:mm:ss';
  return pattern.replace(/\[\$([^\]-]+)-[^\]]*\]/g, '[$$$1]');
}

function isDate(pattern: string): boolean {
  return /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]|General/gi, ''));
}
