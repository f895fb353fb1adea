import { type ComponentType, createElement, lazy, useState } from 'react';
import type { Part } from './part.ts';

/** A part of the app that did not come: the server is away, or has a newer version whose parts have other names. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';

  constructor(cause: unknown) {
    super('a part of the page did not load', { cause });
  }
}

/**
 * A component that is fetched when it is first shown.
 * @param load imports its module and picks it: `() => import('./Page.tsx').then(({ Page }) => Page)`
 * @throws PartNotLoaded while it is drawn, for the nearest error boundary
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      (cause: unknown) => Promise.reject(new PartNotLoaded(cause)),
    ),
  );
}

/**
 * The same of what may have come early, and is then drawn at once. React draws even what is there already a moment
 * after what stands for it, and keeps that for 0.3 seconds so as not to flicker.
 */
export function earlyPart(part: Part): ComponentType {
  const Late = lazyPart(part.load);
  return function EarlyPart() {
    // As it began: another kind of component would be another one, and begin anew.
    const [Shown] = useState<ComponentType>(() => part.loaded ?? Late);
    return createElement(Shown);
  };
}
