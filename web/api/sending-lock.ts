/** Browsers hide locks from pages served without TLS on another machine; there each tab knows of itself alone. */
const locks = 'locks' in navigator ? navigator.locks : null;
const prefix = 'footnote-upload ';

/**
 * Does the work while no other tab of this browser sends the same upload: two at once would only cut each other off.
 */
export function whileOurs<T>(fingerprint: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return locks ? locks.request(prefix + fingerprint, { signal }, work) : work();
}

/** The fingerprints of the uploads that some tab of this browser is sending. */
export async function beingSent(): Promise<Set<string>> {
  const held = (await locks?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
