/** Where the focus was. */
interface Place {
  readonly element: HTMLElement;
  /** The page that this was on. */
  readonly path: string;
  /** Where the element was taken off the page; null while it is on it. */
  gap: { parent: Node; previous: Node | null; next: Node | null } | null;
}

/** Places that are gone may have taken the ones before them along, as a dialog that is about a row of a table. */
const maxPlaces = 12;

/**
 * Whoever works by the keyboard goes on where they were. When what has the focus is taken off the page, and nothing
 * asks for it in its place, it goes to what stands there now or next; on another page to the heading. The browser would
 * drop it, and the next key begin at the top of the page. Call it once.
 */
export function keepFocus(): void {
  /** Newest first. */
  let places: Place[] = [];
  let isByKeyboard = false;
  let isLost = false;

  const restore = () => {
    if (!isLost || !isByKeyboard || hasFocus()) return;
    const [last] = places;
    if (last?.path !== window.location.pathname || last.element.matches('h1')) return focusHeading();
    for (const { element, gap } of places) {
      const found = gap ? besides(gap) : isReachable(element) ? element : null;
      if (found) return found.focus({ preventScroll: true });
    }
    focusHeading();
  };

  window.addEventListener('keydown', () => (isByKeyboard = true), { capture: true });
  window.addEventListener('pointerdown', () => (isByKeyboard = false), { capture: true });
  window.addEventListener('focusin', ({ target }) => {
    isLost = false;
    if (!(target instanceof HTMLElement)) return;
    const others = places.filter(({ element }) => element !== target);
    places = [{ element: target, path: window.location.pathname, gap: null }, ...others].slice(0, maxPlaces);
  });
  new MutationObserver((changes) => {
    for (const change of changes) noteGaps(places, change);
    if (hasFocus()) return;
    isLost ||= Boolean(places[0]?.gap);
    // Whatever asks for the focus itself does so with the change, or right after it is drawn.
    if (isLost) requestAnimationFrame(() => setTimeout(restore));
  }).observe(document.body, { childList: true, subtree: true });
}

function noteGaps(places: readonly Place[], { target, removedNodes, previousSibling, nextSibling }: MutationRecord) {
  for (const node of removedNodes)
    for (const place of places) {
      if (place.element.isConnected) place.gap = null;
      else if (node.contains(place.gap?.parent ?? place.element))
        place.gap = { parent: target, previous: previousSibling, next: nextSibling };
    }
}

/** What can be reached nearest to a gap: what has taken its place or follows it, else what stands before it. */
function besides({ parent, previous, next }: NonNullable<Place['gap']>): HTMLElement | null {
  // Beside a dialog that is closed stands nothing that belongs to it.
  if (!(parent instanceof Element) || !parent.closest('#root, [role="dialog"]')) return null;
  const all = reachableIn(parent);
  const from = previous?.isConnected ? previous : null;
  const to = next?.isConnected ? next : null;
  const found =
    all.find((each) => (from ? isBehind(from, each) : !to || to.contains(each) || isBehind(to, each))) ??
    all.find((each) => from?.contains(each)) ??
    all.findLast((each) => !from || !isBehind(from, each));
  return (
    found ??
    besides({ parent: parent.parentNode ?? document.body, previous: parent.previousSibling, next: parent.nextSibling })
  );
}

function isBehind(node: Node, other: Node): boolean {
  const where = node.compareDocumentPosition(other);
  return (where & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && (where & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0;
}

const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';

function reachableIn(parent: Element): HTMLElement[] {
  return [...parent.querySelectorAll<HTMLElement>(reachable)].filter(isReachable);
}

function isReachable(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();
}

/** Of a page that is still on its way there is none yet: the next change of the page comes here again. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}
