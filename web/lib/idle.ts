/** When somebody last touched any tab of this browser, in milliseconds since the epoch. Not a secret. */
const key = 'footnote.used';
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** How often a touch is written down, and the time looked at. */
const writeIntervalMs = 5_000;
const checkIntervalMs = 10_000;

/**
 * Calls back once when nobody has touched any tab for so long: a page that is only left open asks the server for news
 * now and then, which must not count as use.
 * @returns how to stop
 */
export function watchIdle(idleMs: number, onIdle: () => void): () => void {
  let last = Date.now();
  let written = 0;
  const note = () => {
    last = Date.now();
    if (last - written < writeIntervalMs) return;
    written = last;
    localStorage.setItem(key, String(last));
  };
  const check = () => {
    const elsewhere = Number(localStorage.getItem(key)) || 0;
    if (Date.now() - Math.max(last, elsewhere) < idleMs) return;
    stop();
    onIdle();
  };
  note();
  for (const sign of signs) window.addEventListener(sign, note, { passive: true });
  // Timers of a tab in the background, and of a machine that sleeps, come late.
  document.addEventListener('visibilitychange', check);
  const timer = setInterval(check, checkIntervalMs);
  function stop(): void {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
    for (const sign of signs) window.removeEventListener(sign, note);
  }
  return stop;
}
