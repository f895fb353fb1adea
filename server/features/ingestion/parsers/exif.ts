import { open } from 'node:fs/promises';
import type { Angle } from './angle.ts';

/** By the value of EXIF's tag Orientation (CIPA DC-008, 4.6.4); the others are mirrored, which no camera does. */
const turns: Record<number, Angle> = { 3: 180, 6: 90, 8: 270 };
const orientationTag = 0x0112;
/** What says it stands before the picture. */
const headBytes = 128 * 1024;

/** How far a viewer turns a JPEG before it shows it, as its camera has noted; 0 of any other file. */
export async function turnOf(path: string): Promise<Angle> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const exif = exifOf(buffer.subarray(0, bytesRead));
    return (exif && turns[orientationOf(exif)]) ?? 0;
  } catch (error) {
    // Numbers that lead out of it.
    if (error instanceof RangeError) return 0;
    throw error;
  } finally {
    await file.close();
  }
}

/** The TIFF structure in the segment APP1. */
function exifOf(jpeg: Buffer): Buffer | undefined {
  if (jpeg.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const content = jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2));
    if (jpeg[at + 1] === 0xe1 && content.toString('latin1', 0, 6) === 'Exif\0\0') return content.subarray(6);
  }
  return undefined;
}

function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12;
    if (short(at) === orientationTag) return short(at + 8);
  }
  return 1;
}
