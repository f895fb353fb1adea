/**
 * The records of a zip file (APPNOTE 6.3.10) around entries whose size and checksum are known beforehand. So all of it
 * follows from what is known of its entries: it can be begun anywhere, and need not be kept as a file.
 */
export interface ZipEntry {
  /** With slashes, in UTF-8. */
  path: string;
  size: number;
  /** Bytes as they stand in the zip. */
  storedSize: number;
  isDeflated: boolean;
  crc32: number;
  modifiedAt: Date;
}

/** Beyond this a field of 32 bits is all ones, and the number stands in one of 64. */
const max32 = 0xffff_ffff;
const max16 = 0xffff;
const zip64Id = 0x0001;
/** Version 4.5 of the format, which has 64 bits, made by something like Unix, whose permissions are in it. */
const [version, madeBy] = [45, (3 << 8) | 63];
/** A file that its owner may write and everyone may read. */
const attributes = (0o100644 << 16) >>> 0;
/** Names are UTF-8. */
const flags = 0x0800;

/** What stands before the bytes of an entry. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  // Both or none, as the format wants it here.
  const isLarge = entry.size >= max32 || entry.storedSize >= max32;
  const extra = isLarge ? zip64([entry.size, entry.storedSize]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(isLarge ? version : 20, 4);
  writeCommon(header, 6, entry);
  header.writeUInt32LE(isLarge ? max32 : entry.storedSize, 18);
  header.writeUInt32LE(isLarge ? max32 : entry.size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

/** What the directory at the end says of an entry. @param offset where its local header begins */
export function directoryRecord(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.path);
  const { size, storedSize } = entry;
  const extra = zip64([size, storedSize, offset].filter((each) => each >= max32));
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE(madeBy, 4);
  record.writeUInt16LE(extra.length > 0 ? version : 20, 6);
  writeCommon(record, 8, entry);
  record.writeUInt32LE(Math.min(storedSize, max32), 20);
  record.writeUInt32LE(Math.min(size, max32), 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(attributes, 38);
  record.writeUInt32LE(Math.min(offset, max32), 42);
  return Buffer.concat([record, name, extra]);
}

/** What follows the directory. */
export function endRecords({ entries, offset, size }: { entries: number; offset: number; size: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (entries < max16 && size < max32 && offset < max32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x0606_4b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(madeBy, 12);
  large.writeUInt16LE(version, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

/** Flags, method, time and checksum, which both kinds of header have in this order. */
function writeCommon(header: Buffer, at: number, { isDeflated, crc32, modifiedAt }: ZipEntry): void {
  header.writeUInt16LE(flags, at);
  header.writeUInt16LE(isDeflated ? 8 : 0, at + 2);
  header.writeUInt16LE(timeOf(modifiedAt), at + 4);
  header.writeUInt16LE(dayOf(modifiedAt), at + 6);
  header.writeUInt32LE(crc32, at + 8);
}

function zip64(numbers: number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + numbers.length * 8);
  extra.writeUInt16LE(zip64Id, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  for (const [i, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + i * 8);
  return extra;
}

/** In steps of two seconds, of UTC: the format knows no time zones. */
function timeOf(at: Date): number {
  return (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
}

/** The format's years begin with 1980 and end with 2107. */
function dayOf(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  return ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
}
