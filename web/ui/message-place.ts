import { useEffect } from 'react';

/**
 * What stands over the page for a while, or for as long as something is wrong; one that is named first is placed first.
 */
const messages = ['[data-message]', '.mantine-Notifications-root[data-position="bottom-center"]'];

/** What is in use wherever it stands: the question, what may be done to selected files, the buttons of a dialog. */
const inUse = '[data-in-use]';

/** Of that, what is kept clear of even where there is no room beside all of it. */
const first = '[data-in-use="first"]';

/** What goes on for as long as it takes. It keeps clear of what is in use, and is in use itself. */
const tray = '[data-tray]';

/** What a page leaves empty below its end, so that nothing stays below the tray when it is scrolled to there. */
const trayRoom = '--tray-room';

const controls = 'a[href], button, input, select, textarea';

/** CSS pixels between a message and what it keeps clear of. */
const gap = 8;

/** A part of the window, in CSS pixels from its upper left corner. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Has messages stand at the end of the window where they lie over nothing that is in use: what is marked with
 * `data-in-use`, and the controls of a dialog that is open. The rest of a page can be scrolled out from below them.
 */
export function useMessagePlace(): void {
  useEffect(() => {
    const changes = new MutationObserver(placeAll);
    // The field of a question grows with `data-text`.
    const attributeFilter = ['open', 'data-text'];
    changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter });
    const events = ['resize', 'scroll', 'transitionend', 'animationend'];
    for (const event of events) window.addEventListener(event, placeAll, { capture: true, passive: true });
    return () => {
      changes.disconnect();
      for (const event of events) window.removeEventListener(event, placeAll, { capture: true });
    };
  }, []);
}

function placeAll(): void {
  placeTray();
  placeMessages();
}

function placeTray(): void {
  const standing = document.querySelector<HTMLElement>(tray);
  const room = standing ? `${standing.offsetHeight + 4 * gap}px` : '';
  const { style } = document.documentElement;
  if (style.getPropertyValue(trayRoom) !== room) style.setProperty(trayRoom, room);
  if (!standing) return;
  const { left, right, height } = standing.getBoundingClientRect();
  const find = (obstacles: Iterable<Element>) =>
    freePlace(
      { left, right, height },
      Array.from(obstacles, (each) => each.getBoundingClientRect()),
      innerHeight - gap,
    );
  // A dialog lies over it.
  const marked = [...document.querySelectorAll(inUse)].filter(
    (each) => each !== standing && !each.closest('[role="dialog"], dialog'),
  );
  const bottom = find(marked) ?? find(document.querySelectorAll(first)) ?? innerHeight - 2 * gap;
  standing.style.bottom = `${innerHeight - bottom}px`;
}

function placeMessages(): void {
  const standing = messages
    .map((each) => document.querySelector<HTMLElement>(each))
    .filter((each) => each !== null && each.childElementCount > 0);
  // To ask where something is has the browser lay out the page, at each of its changes.
  if (standing.length === 0) return;
  const placed: Box[] = [];
  // Beside the list of documents and an open document, over what they are about.
  const main = document.querySelector('main')?.getBoundingClientRect() ?? { left: 0, width: innerWidth };
  for (const message of standing) {
    if (!message) continue;
    message.style.left = `${main.left + main.width / 2}px`;
    message.style.maxWidth = `min(440px, ${main.width - 2 * gap}px)`;
    const { left, right, height } = message.getBoundingClientRect();
    const find = (obstacles: readonly Element[]) =>
      freePlace({ left, right, height }, [...placed, ...obstacles.map((each) => each.getBoundingClientRect())]);
    const marked = [...document.querySelectorAll(inUse)];
    const dialog = [...document.querySelectorAll('[role="dialog"], dialog[open]')].at(-1);
    // A dialog that is full of controls can be scrolled, too, but for those that are marked.
    const bottom =
      find([...marked, ...(dialog?.querySelectorAll(controls) ?? [])]) ?? find(marked) ?? innerHeight - gap;
    message.style.bottom = `${innerHeight - bottom}px`;
    placed.push({ left, right, top: bottom - height, bottom });
  }
}

/**
 * The lowest place for a message of this size, by its lower edge, that keeps clear of what is given; null: there is
 * none.
 */
export function freePlace(
  { left, right, height }: { left: number; right: number; height: number },
  obstacles: readonly Box[],
  windowHeight = innerHeight,
): number | null {
  let bottom = windowHeight - gap;
  while (bottom - height >= gap) {
    const hit = obstacles.filter(
      (each) =>
        each.left < right && left < each.right && each.top < bottom + gap && bottom - height - gap < each.bottom,
    );
    if (hit.length === 0) return bottom;
    bottom = Math.min(...hit.map(({ top }) => top)) - gap;
  }
  return null;
}
