/** Browsers by what they write into `User-Agent`: those that call themselves others, too, come before them. */
const browsers: readonly [RegExp, string][] = [
  [/\b(Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\bWindows NT\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * What a browser or program says of itself, in words: `Firefox on Windows`, `curl`. It may say what it likes, so it
 * only helps people to know their own again.
 * @param agent a `User-Agent`: any text
 */
export function agentName(agent: string | undefined): string {
  const said = (agent ?? '').slice(0, 500);
  const named = (list: readonly [RegExp, string][]) => list.find(([sign]) => sign.test(said))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // Programs begin with their name, and a version after a slash.
  const program = /^[A-Za-z][\w.-]{0,39}/.exec(said)?.[0];
  return program !== undefined && program !== 'Mozilla' ? program : 'an unknown browser';
}
