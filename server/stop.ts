/**
 * Calls `close` once, at the first SIGINT or SIGTERM, and ends the process when it is done; a second signal ends it at
 * once. Started by npm, it also stops when npm does: npm hands a signal on to its shell only, and a shell that dies of
 * it leaves the service behind, holding its port.
 */
export function stopAtSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (!stopping) stop();
  }, 500);
  watch.unref();
}
