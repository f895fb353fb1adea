import { brandBounds } from '#contract/settings.ts';

/** What a picture may weigh before it is drawn. */
const maxBytes = 20_000_000;

/**
 * A picture of any kind that the browser can show as a PNG that fits, as a data address: the server takes no other
 * format, so that it need read none.
 * @returns null for what is no picture, or too large
 */
export async function pngOf(file: File): Promise<string | null> {
  if (file.size > maxBytes) return null;
  const picture = await load(file);
  if (!picture) return null;
  const { naturalWidth, naturalHeight } = picture;
  const { logoWidth, logoHeight, logoBytes } = brandBounds;
  const scale = Math.min(1, logoWidth / naturalWidth, logoHeight / naturalHeight);
  // A photograph of that size may still weigh too much: then smaller.
  for (const part of [1, 0.7, 0.5, 0.3]) {
    const png = draw(picture, naturalWidth * scale * part, naturalHeight * scale * part);
    if (png === null) return null;
    if ((png.length * 3) / 4 <= logoBytes) return png;
  }
  return null;
}

async function load(file: File): Promise<HTMLImageElement | null> {
  const url = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    return picture.naturalWidth > 0 && picture.naturalHeight > 0 ? picture : null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function draw(picture: HTMLImageElement, width: number, height: number): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}
