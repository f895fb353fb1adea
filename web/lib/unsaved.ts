import { holdHistory } from './location.ts';
import { createStore } from './store.ts';

/** A way out of the page that was begun and is held until the person has decided. */
interface Leaving {
  /** The form that asks: one is enough, however many are not saved. */
  askedBy: string;
  /** Goes on with it. */
  go: () => void;
}

/** The forms with something that is not saved, in the order in which they came to it. */
const unsaved = new Set<string>();
let stopListening = () => {};

/** Asks first; null while nothing is held. */
let holdFirst: ((go: () => void) => void) | null = null;

/** Goes on with a way out that is no link: the person is asked before where something is not saved. */
export function leave(go: () => void): void {
  if (holdFirst) holdFirst(go);
  else go();
}

export const heldLeaving = createStore<Leaving | null>(null);

/**
 * Holds every way out of the page while this form has something that is not saved: links, what is marked with
 * `data-leaves`, Back and Forward; closing the tab is asked about by the browser itself. Returns how to let go, which
 * is done once no other form holds.
 *
 * By hand, since the router that could block is one that loads data, and would come with every page's first load.
 * @param form its id
 */
export function holdLeaving(form: string): () => void {
  if (unsaved.size === 0) stopListening = listen();
  unsaved.add(form);
  return () => {
    unsaved.delete(form);
    const [next] = unsaved;
    const leaving = heldLeaving.value;
    if (next === undefined) {
      stopListening();
      heldLeaving.set(null);
    } else if (leaving?.askedBy === form) heldLeaving.set({ ...leaving, askedBy: next });
  };
}

/** Asks about each way out that is begun. Returns how to stop. */
function listen(): () => void {
  let place = placeNow();
  /** The person has decided: what they began goes through. */
  let isOpen = false;
  /** Moves of the history that are ours, to be heard by nobody. */
  let own = 0;

  const hold = (go: () => void) => {
    const [first] = unsaved;
    if (first === undefined) return;
    heldLeaving.set({
      askedBy: first,
      go: () => {
        isOpen = true;
        heldLeaving.set(null);
        go();
      },
    });
  };

  holdFirst = (go) => (isOpen ? go() : hold(go));

  const onClick = (event: MouseEvent) => {
    if (isOpen || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const way = event.target instanceof Element ? event.target.closest<HTMLElement>('a[href], [data-leaves]') : null;
    if (!way || (way instanceof HTMLAnchorElement && (way.target === '_blank' || leadsHere(way)))) return;
    event.preventDefault();
    event.stopPropagation();
    hold(() => way.click());
  };

  const onPop = (event: PopStateEvent) => {
    if (own > 0) {
      own -= 1;
      event.stopImmediatePropagation();
      return;
    }
    const next = placeNow();
    if (isOpen) {
      place = next;
      return;
    }
    // The browser is there already: back to where the person still is, and on once they say so.
    event.stopImmediatePropagation();
    const steps = next === null || place === null ? -1 : next - place;
    own += 1;
    history.go(-steps);
    hold(() => history.go(steps));
  };

  const onClose = (event: BeforeUnloadEvent) => event.preventDefault();

  // Before a link hears of it.
  window.addEventListener('click', onClick, { capture: true });
  holdHistory(onPop);
  window.addEventListener('beforeunload', onClose);
  return () => {
    window.removeEventListener('click', onClick, { capture: true });
    holdFirst = null;
    holdHistory(null);
    window.removeEventListener('beforeunload', onClose);
  };
}

/** The router counts the entries of the history; null where this one is not of its making. */
function placeNow(): number | null {
  const { idx }: { idx?: unknown } = Object(history.state);
  return typeof idx === 'number' ? idx : null;
}

function leadsHere({ href }: HTMLAnchorElement): boolean {
  const { origin, pathname, search } = new URL(href, location.href);
  return origin === location.origin && pathname + search === location.pathname + location.search;
}
