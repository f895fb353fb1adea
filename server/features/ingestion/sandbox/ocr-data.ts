import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Where an operating system keeps the data of its own Tesseract. */
const systemFolders = ['/usr/share/tesseract-ocr/5/tessdata', '/usr/share/tessdata', '/usr/local/share/tessdata'];

/** The data of a language for the text recogniser, as a library ships it or the system has it. */
export interface OcrLanguage {
  /** As Tesseract names it: `eng`, `deu`, `chi_sim`. */
  name: string;
  /** `.traineddata`, or that compressed. */
  file: string;
}

/** @throws Error that names the languages without data, and how to get them */
export function findOcrLanguages(names: readonly string[]): OcrLanguage[] {
  const found = names.map((name) => ({ name, file: fileOf(name) }));
  const missing = found.filter(({ file }) => file === undefined).map(({ name }) => name);
  if (missing.length > 0)
    throw new Error(
      `No data to recognise text in: ${missing.join(', ')}. Install @tesseract.js-data/${missing[0]}, or the system's tesseract-ocr-${missing[0]}.`,
    );
  return found.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
}

/** Puts the data of the languages into a folder, unpacked, as the recogniser wants it; what is there stays. */
export async function unpackOcrData(folder: string, languages: readonly OcrLanguage[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const { name, file } of languages) {
    const target = join(folder, `${name}.traineddata`);
    if (existsSync(target)) continue;
    // Several documents may come at once.
    const part = `${target}.${randomUUID()}`;
    if (file.endsWith('.gz')) await writeFile(part, await promisify(gunzip)(await readFile(file)));
    else await copyFile(file, part);
    // Read by every child, which may be another user's.
    await chmod(part, 0o644);
    await rename(part, target);
  }
}

function fileOf(name: string): string | undefined {
  if (!/^[a-z]{3}(_[a-z]+)?$/i.test(name)) return undefined;
  const shipped = packageFolder(name);
  return [
    // The smaller of the two kinds in it: half the time of the other, and no worse on print.
    ...(shipped === undefined ? [] : [join(shipped, '4.0.0_best_int', `${name}.traineddata.gz`)]),
    ...systemFolders.map((folder) => join(folder, `${name}.traineddata`)),
  ].find((file) => existsSync(file));
}

function packageFolder(name: string): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.resolve(`@tesseract.js-data/${name}/package.json`)));
  } catch {
    return undefined;
  }
}
