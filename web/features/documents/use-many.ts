import { useRef, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import type { CompanyFile } from '#web/api/company-files.ts';
import { changeMany, type ManyAction } from '#web/api/many-files.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import type { Selection } from './selection.ts';
import { words } from './words.ts';

/** Under way. */
export interface Running {
  kind: ManyAction['kind'];
  done: number;
  total: number;
}

/** What did not go well, until the next try. */
export interface Trouble {
  text: string;
  /** Each reason, and the files that it is about. */
  reasons: readonly { reason: string; names: readonly string[] }[];
}

/** Does something to the selected files; those that it failed for, or did not come to, stay selected. */
export function useMany(select: (selection: Selection) => void) {
  const [running, setRunning] = useState<Running | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const stopping = useRef<AbortController>(null);

  const run = async (action: ManyAction, files: readonly CompanyFile[]) => {
    const { kind } = action;
    const total = files.length;
    const stop = new AbortController();
    stopping.current = stop;
    setTrouble(null);
    setRunning({ kind, done: 0, total });
    const { changed, refused, left, error } = await changeMany(
      action,
      files.map(({ id }) => id),
      { signal: stop.signal, onProgress: (done) => setRunning({ kind, done, total }) },
    );
    setRunning(null);
    if (changed > 0) showAlert('done', words.done[kind](changed));
    select({ ids: new Set([...refused.keys(), ...left]), anchor: null });
    if (refused.size > 0) setTrouble({ text: words.left[kind](refused.size), reasons: byReason(files, refused) });
    if (error !== undefined) setTrouble({ text: messageOf(error, words.interrupted), reasons: [] });
  };

  return {
    running,
    trouble,
    run: (action: ManyAction, files: readonly CompanyFile[]) => void run(action, files),
    stop: () => stopping.current?.abort(),
    forget: () => setTrouble(null),
  };
}

function byReason(files: readonly CompanyFile[], refused: ReadonlyMap<string, string>): Trouble['reasons'] {
  const of = Map.groupBy(
    files.filter(({ id }) => refused.has(id)),
    ({ id }) => refused.get(id) ?? '',
  );
  return [...of].map(([reason, some]) => ({ reason, names: some.map(({ name }) => name) }));
}
