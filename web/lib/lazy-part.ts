import { type ComponentType, lazy } from 'react';

/** A part of the app that did not come: the server is away, or has a newer version whose parts have other names. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';
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
      (cause: unknown) => Promise.reject(new PartNotLoaded('a part of the page did not load', { cause })),
    ),
  );
}
