import { useSyncExternalStore } from 'react';

/** Tells those who listen that something has changed. */
export interface Changes {
  /** Returns the way to stop. */
  subscribe: (listener: () => void) => () => void;
  tell: () => void;
  /** Whether anybody listens. */
  isHeard: () => boolean;
}

/** @param watch begins when somebody listens, and ends by what it returns when nobody does any more */
export function createChanges(watch?: (tell: () => void) => () => void): Changes {
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) stop = watch?.(tell);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
    tell,
    isHeard: () => listeners.size > 0,
  };
}

/** A value that lives outside of the screens that show it. */
export interface Store<State> extends Omit<Changes, 'tell'> {
  readonly value: State;
  set: (next: State) => void;
  /** Sets without telling: while a screen is being drawn no other may be made to draw itself. */
  begin: (next: State) => void;
}

/** @param whenUsed what is done when the first screen wants to know the value */
export function createStore<State>(initial: State, whenUsed?: () => void): Store<State> {
  let value = initial;
  const { tell, ...changes } = createChanges(() => {
    whenUsed?.();
    return () => {};
  });
  const begin = (next: State) => {
    value = next;
  };
  return {
    ...changes,
    get value() {
      return value;
    },
    begin,
    set: (next) => {
      begin(next);
      tell();
    },
  };
}

/** The value as it is now, and as it changes. */
export function useStore<State>(store: Pick<Store<State>, 'subscribe' | 'value'>): State {
  return useSyncExternalStore(store.subscribe, () => store.value);
}
