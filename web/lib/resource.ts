import { createStore, type Store } from './store.ts';

/** What a page reads when it is opened: on its way, there, or why it is not. */
export type LoadState<Data> =
  | { state: 'loading' }
  | { state: 'ready'; data: Data }
  /** `error`: what was thrown. */
  | { state: 'failed'; error: unknown };

export interface Resource<Data> extends Pick<Store<LoadState<Data>>, 'subscribe' | 'value'> {
  /** Reads it again. */
  reload: () => void;
}

/**
 * Something that is read once, as soon as a screen wants to show it (`useStore`), and again after it has failed: what
 * the cache of queries does behind the sign-in, for the pages in front of it, which load nothing but React.
 */
export function createResource<Data>(read: () => Promise<Data>): Resource<Data> {
  let begun = false;
  const load = () => {
    begun = true;
    read().then(
      (data) => store.set({ state: 'ready', data }),
      (error: unknown) => {
        begun = false;
        store.set({ state: 'failed', error });
      },
    );
  };
  const store = createStore<LoadState<Data>>({ state: 'loading' }, () => {
    if (begun) return;
    store.begin({ state: 'loading' });
    load();
  });
  return {
    subscribe: store.subscribe,
    get value() {
      return store.value;
    },
    reload: () => {
      store.set({ state: 'loading' });
      load();
    },
  };
}
