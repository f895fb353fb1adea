/** Kinds of file that are refused by their first bytes, whatever they are called. */

const archives = [
  // gzip, compress, bzip2, xz, zstd, lz4, lzip
  ...['\x1f\x8b', '\x1f\x9d', 'BZh', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd', '\x04\x22\x4d\x18', 'LZIP\x01'],
  // 7z, RAR, cabinets, packages of Debian, cpio
  ...['7z\xbc\xaf', 'Rar!\x1a', 'MSCF\0', '!<arch>\n', '070701', '070702', '070707'],
];

const programs = [
  // Linux; macOS, for one processor in either order of bytes, and for several, as of Java
  ...['\x7fELF', '\xfe\xed\xfa\xce', '\xfe\xed\xfa\xcf', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe'],
  // WebAssembly, Android, shortcuts of Windows, scripts that name what runs them
  ...['\0asm', 'dex\n0', 'L\0\0\0\x01\x14\x02\0', '#!/', '#! /'],
];

/** Where tar and images of discs say what they are. */
const tarMark = 257;
const discMark = 0x8001;

/**
 * Anything that packs other files but zip, whose directory tells documents from archives. @param head a character a
 * byte
 */
export function isArchive(head: string): boolean {
  return (
    archives.some((start) => head.startsWith(start)) ||
    head.startsWith('ustar', tarMark) ||
    head.startsWith('CD001', discMark)
  );
}

/**
 * Programs but those of Windows, which begin with two letters that a text may begin with. @param head a character a
 * byte
 */
export function isProgram(head: string): boolean {
  return programs.some((start) => head.startsWith(start));
}
