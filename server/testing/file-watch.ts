import type { Client } from '#client/client.ts';
import type { CompanyFile } from '#contract/calls/documents.ts';

/** Follows the files of a company, as its own screen does. */
export interface FileWatch {
  /** How the file ended, and how long it took from when it began to be read. */
  end(documentId: string): Promise<{ file: CompanyFile; ms: number }>;
  /** Asks no more; what is being told ends with the server. */
  stop(): void;
}

export function watchFiles(client: Client): FileWatch {
  const files = new Map<string, CompanyFile>();
  const began = new Map<string, number>();
  const ended = new Map<string, number>();
  let changed = Promise.withResolvers<void>();
  let stopped = false;

  function see(file: CompanyFile): void {
    files.set(file.id, file);
    if (file.state === 'processing' && !began.has(file.id)) began.set(file.id, performance.now());
    if (isEnd(file) && !ended.has(file.id)) ended.set(file.id, performance.now());
    changed.resolve();
    changed = Promise.withResolvers();
  }

  const following = (async () => {
    while (!stopped) {
      await client.stream('watchFiles', null, (message) => {
        if (message.type === 'files') message.files.forEach(see);
        else if (message.type === 'changed') see(message.file);
      });
    }
  })();
  // Said to whoever waits for an end.
  following.catch(() => {});

  return {
    async end(documentId) {
      for (;;) {
        const file = files.get(documentId);
        const at = ended.get(documentId) ?? 0;
        if (file && isEnd(file)) return { file, ms: at - (began.get(documentId) ?? at) };
        await Promise.race([changed.promise, following]);
      }
    },
    stop() {
      stopped = true;
    },
  };
}

function isEnd({ state }: CompanyFile): boolean {
  return state === 'ready' || state === 'partial' || state === 'failed';
}
