/**
 * What the work comes to, or the signal's reason where it is aborted first. Nothing of the wait is left on the signal,
 * however often the same one is used; how work ends for which nobody waits any longer is nobody's concern.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const end = () => aborted.reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
