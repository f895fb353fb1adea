import type { ComponentType } from 'react';

/** A component whose code comes when it is asked for. */
export interface Part {
  /** Brings it; asked again, it is there. */
  load: () => Promise<ComponentType>;
  /** Null until it has come. */
  readonly loaded: ComponentType | null;
}

/** @param load imports its module and picks it: `() => import('./Page.tsx').then(({ Page }) => Page)` */
export function createPart(load: () => Promise<ComponentType>): Part {
  let loaded: ComponentType | null = null;
  return {
    async load() {
      loaded ??= await load();
      return loaded;
    },
    get loaded() {
      return loaded;
    },
  };
}
