import { createCipheriv } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { makeRelations, makeZip, pngOf } from '#server/features/ingestion/fixtures.ts';
import { createRandom, type Random } from '../crash/random.ts';
import { makeManual } from './manual.ts';

/** A file as companies have them: little text, and much that is a picture. */
export interface LargeFile {
  name: string;
  bytes: Buffer;
  question: string;
}

const megabyte = 1024 * 1024;
/** A page of A4 in shades of grey, at 300 dots an inch. */
const scanned = { width: 2480, height: 3508 };
const kinds = { scan: 55, manual: 12, docx: 14, xlsx: 9, txt: 10 };
/** What is inflated of an office file may be 200 MB in all. */
const officeMost = 150;

/**
 * The file of a number: the same bytes at every run.
 * @param most the size that no file is above, in bytes; the first is as near to it as its pages allow
 */
export async function makeLargeFile(number: number, most: number): Promise<LargeFile> {
  const random = createRandom(number + 1);
  const code = `KX-${100_000 + number}`;
  const fact = `The seal of crate ${code} bears the number ${random.between(10_000, 99_999)}.`;
  const kind = number === 0 ? 'scan' : random.weighted(kinds);
  const wanted = number === 0 ? most : Math.min(most, sizeOf(kind, random) * megabyte);
  const { ending, bytes } = await makers[kind]({ random, number, wanted, fact });
  return { name: `Crate ${code}.${ending}`, bytes, question: `What number does the seal of crate ${code} bear?` };
}

/** In megabytes: many of some, few of hundreds. */
const sizes = { some: [5, 30], many: [30, 100], hundreds: [100, 300], most: [500, 500] } as const;

function sizeOf(kind: keyof typeof kinds, random: Random): number {
  if (kind === 'txt') return random.next() < 0.1 ? 8 : 0.2 + random.next();
  const [from, to] = sizes[random.weighted({ some: 60, many: 30, hundreds: 8, most: 2 })];
  const drawn = random.between(from, to);
  return kind === 'scan' ? drawn : Math.min(drawn, officeMost);
}

interface Wanted {
  random: Random;
  number: number;
  /** Bytes, more or less. */
  wanted: number;
  fact: string;
}

const makers: Record<keyof typeof kinds, (wanted: Wanted) => Promise<{ ending: string; bytes: Buffer }>> = {
  async scan(wanted) {
    return { ending: 'pdf', bytes: makeSearchableScan(wanted) };
  },

  async manual({ number, random, fact }) {
    const manual = await makeManual(number, random.between(5, 60), fact);
    return { ending: 'pdf', bytes: Buffer.from(manual) };
  },

  async docx(wanted) {
    const paragraphs = sentences(wanted.random, 300, wanted.fact).map(
      (text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`,
    );
    const main = `<w:document><w:body>${paragraphs.join('')}</w:body></w:document>`;
    return { ending: 'docx', bytes: withPictures('word/document.xml', { 'word/document.xml': main }, wanted) };
  },

  async xlsx(wanted) {
    const { number, random, fact } = wanted;
    const rows = Array.from({ length: random.between(200, 2000) }, (_, i) => [
      `Part ${number}-${i}`,
      random.pick(places),
      String(random.between(1, 999)),
    ]);
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const lines = [['Part', 'Place', 'Count'], ...rows, [fact]].map((row) => `<row>${row.map(cell).join('')}</row>`);
    const parts = {
      'xl/workbook.xml': '<workbook><sheets><sheet name="Parts" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': makeRelations(['worksheet', 'worksheets/sheet1.xml']),
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
    };
    return { ending: 'xlsx', bytes: withPictures('xl/workbook.xml', parts, wanted) };
  },

  async txt({ random, wanted, fact }) {
    const some = sentences(random, Math.ceil(wanted / 90), fact);
    return { ending: 'txt', bytes: Buffer.from(`${some.join('\n\n')}\n`) };
  },
};

const things = ['pump', 'ladder', 'cable drum', 'filter', 'winch', 'lamp', 'hose', 'anchor', 'pallet', 'ratchet'];
const places = ['hall one', 'the north yard', 'the quay', 'the paint shop', 'bay seven', 'the loading ramp'];
const people = ['The night shift', 'A fitter', 'The harbour master', 'Whoever has the key', 'The forwarder'];
const deeds = ['counts', 'checks', 'stows', 'repaints', 'signs for', 'weighs', 'hands over'];

function sentences(random: Random, count: number, fact: string): string[] {
  const all = Array.from(
    { length: count },
    () =>
      `${random.pick(people)} ${random.pick(deeds)} the ${random.pick(things)} in ${random.pick(places)} on day ${random.between(1, 365)}.`,
  );
  all.splice(random.between(0, count), 0, fact);
  return all;
}

/** Bytes that nothing makes smaller, the same for the same number. */
function noise(number: number, length: number): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32LE(number);
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
  return cipher.update(Buffer.alloc(length));
}

/** An office file of these parts, with as many pictures as make it of the size. */
function withPictures(main: string, parts: Record<string, string>, { number, wanted }: Wanted): Buffer {
  const folder = main.slice(0, main.indexOf('/'));
  return makeZip([
    { name: '_rels/.rels', content: makeRelations(['officeDocument', main]) },
    ...Object.entries(parts).map(([name, content]) => ({ name, content })),
    ...picturesOf(number, wanted).map((content, i) => ({ name: `${folder}/media/${i}.png`, content, stored: true })),
  ]);
}

/** Pictures as cameras make them, of 8 MB each. */
function picturesOf(number: number, wanted: number): Buffer[] {
  const { width, height } = { width: 3264, height: 2448 };
  const count = Math.max(1, Math.round(wanted / (width * height)));
  return Array.from({ length: count }, (_, i) => {
    const lines = noise(number * 1000 + i, (width + 1) * height);
    for (let y = 0; y < height; y++) lines[y * (width + 1)] = 0;
    return pngOf(width, height, deflateSync(lines, { level: 0 }));
  });
}

/** Pages as a scanner saves them that has recognised their text: a picture, and the words behind it. */
function makeSearchableScan({ random, number, wanted, fact }: Wanted): Buffer {
  const { width, height } = scanned;
  const pages = Math.max(1, Math.floor(wanted / (width * height * 1.001)));
  const file = new PdfWriter();
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const parent = file.reserve();
  const kids = Array.from({ length: pages }, (_, page) => {
    const pixels = deflateSync(noise(number * 1000 + page, width * height), { level: 0 });
    const picture = file.addStream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
      pixels,
    );
    const lines = sentences(random, 30, page === pages - 1 ? fact : '').filter((line) => line !== '');
    const text = lines.map((line) => `(${line}) Tj T*`).join(' ');
    const content = `q 595 0 0 842 0 0 cm /Im Do Q BT 3 Tr /F 11 Tf 15 TL 60 780 Td ${text} ET`;
    const drawn = file.addStream('', Buffer.from(content));
    return file.add(
      `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Contents ${drawn} 0 R /Resources << /Font << /F ${font} 0 R >> /XObject << /Im ${picture} 0 R >> >> >>`,
    );
  });
  const refs = kids.map((kid) => `${kid} 0 R`).join(' ');
  file.put(parent, `<< /Type /Pages /Kids [${refs}] /Count ${pages} >>`);
  return file.end(file.add(`<< /Type /Catalog /Pages ${parent} 0 R >>`));
}

/** Puts objects of a PDF one behind the other. A library would hold each picture several times. */
class PdfWriter {
  readonly #pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n', 'latin1')];
  readonly #offsets: number[] = [];
  #length = this.#pieces[0]?.length ?? 0;

  reserve(): number {
    return this.#offsets.push(0);
  }

  add(object: string): number {
    const number = this.reserve();
    this.put(number, object);
    return number;
  }

  put(number: number, object: string): void {
    this.#offsets[number - 1] = this.#length;
    this.#write(Buffer.from(`${number} 0 obj\n${object}\nendobj\n`));
  }

  addStream(facts: string, content: Buffer): number {
    const number = this.reserve();
    this.#offsets[number - 1] = this.#length;
    this.#write(Buffer.from(`${number} 0 obj\n<< ${facts} /Length ${content.length} >>\nstream\n`));
    this.#write(content);
    this.#write(Buffer.from('\nendstream\nendobj\n'));
    return number;
  }

  end(root: number): Buffer {
    const entries = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    const size = this.#offsets.length + 1;
    this.#pieces.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size ${size} /Root ${root} 0 R >>\nstartxref\n${this.#length}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(this.#pieces);
  }

  #write(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}
