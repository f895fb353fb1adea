import type { Source } from '#web/features/chat/conversation/message.ts';
import type { PageBox } from '#web/features/viewer/PageMarks.tsx';
import { holdsAll } from '#web/features/viewer/part-around.ts';
import { isUnsure } from './unsure.ts';

/**
 * What is shown as its page has it, by the numbers of the sources: the places that are marked there. Quotes that stand
 * close together are shown once, with the first of them; the others have none.
 *
 * @param quoted in the order in which they are quoted
 */
export function picturesOf(quoted: readonly Source[]): ReadonlyMap<number, readonly PageBox[]> {
  const pictures = new Map<number, PageBox[]>();
  const shown: { of: Source; places: PageBox[] }[] = [];
  for (const source of quoted) {
    const [place] = isUnsure(source) ? (source.boxes ?? []) : [];
    if (!place || pictures.has(source.n)) continue;
    const near = shown.find(
      ({ of, places }) =>
        of.documentId === source.documentId &&
        of.version === source.version &&
        places[0]?.page === place.page &&
        holdsAll([...places, place].map(({ box }) => box)),
    );
    if (near) {
      near.places.push(place);
      continue;
    }
    const places = [place];
    shown.push({ of: source, places });
    pictures.set(source.n, places);
  }
  return pictures;
}
