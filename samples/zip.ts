import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';

/** 1 January 2026, 08:00, as a zip file writes it. */
const dosDate = ((2026 - 1980) << 9) | (1 << 5) | 1;
const dosTime = 8 << 11;

/**
 * Writes a zip file anew so that the same content always gives the same bytes: entries in the order given, one fixed
 * date, nothing compressed (compressors differ from machine to machine), and texts as `edit` gives them back.
 */
export async function stableZip(bytes: Uint8Array, edit: (name: string, text: string) => string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of await entriesOf(bytes)) {
    const data = /\.(xml|rels)$/.test(name) ? Buffer.from(edit(name, content.toString('utf8'))) : content;
    const fileName = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(dosTime, 6);
    common.writeUInt16LE(dosDate, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(fileName.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, place, fileName);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, fileName, data);
    offset += 30 + fileName.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, central, end]));
}

async function entriesOf(bytes: Uint8Array): Promise<[name: string, content: Buffer][]> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries: [string, Buffer][] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece));
    entries.push([entry.fileName, Buffer.concat(pieces)]);
  }
  return entries;
}
