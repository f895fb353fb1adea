/** Colours of a company's own, as `#rrggbb`. */

type Rgb = readonly [number, number, number];

const paper = { light: '#fcfbf8', dark: '#161513' };
const white = '#ffffff';
/** What stands on the accent in the dark. */
const darkInk = '#10182a';
/** WCAG AA, for text of any size. */
const minContrast = 4.5;

/** What a theme paints with. */
export interface AccentColours {
  accent: string;
  /** Pointed at. */
  strong: string;
  /** What stands on it. */
  ink: string;
  /** A hint of it behind text. */
  wash: string;
}

/** By which variable of the style sheets each is painted. */
export const accentVariables = [
  ['accent', '--accent'],
  ['strong', '--accent-strong'],
  ['ink', '--accent-ink'],
  ['wash', '--accent-wash'],
] as const;

/**
 * What the accent becomes by day and by night: by day as it is given, by night as much lighter as it takes to be read.
 * @returns null for one that can't be read on paper
 */
export function accentColours(accent: string): { light: AccentColours; dark: AccentColours } | null {
  const given = rgbOf(accent);
  if (!given || !isReadable(accent)) return null;
  let night = given;
  for (let share = 0; contrast(hex(night), paper.dark) < 7 && share <= 1; share += 0.05) {
    night = mix(given, [255, 255, 255], share);
  }
  const dark = hex(night);
  return {
    light: {
      accent,
      strong: hex(mix(given, [0, 0, 0], 0.22)),
      ink: white,
      wash: hex(mix(rgbOf(paper.light) ?? given, given, 0.09)),
    },
    dark: {
      accent: dark,
      strong: hex(mix(night, [255, 255, 255], 0.3)),
      ink: darkInk,
      wash: hex(mix(rgbOf(paper.dark) ?? given, night, 0.13)),
    },
  };
}

/** Whether text in the colour can be read on paper, and white text on the colour. */
export function isReadable(accent: string): boolean {
  return contrast(accent, paper.light) >= minContrast && contrast(accent, white) >= minContrast;
}

/** Of WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = (rgbOf(colour) ?? [0, 0, 0]).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function rgbOf(colour: string): Rgb | null {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour) ?? [];
  if (r === undefined || g === undefined || b === undefined) return null;
  return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (a: number, b: number) => Math.round(a + (b - a) * Math.min(1, share));
  return [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])];
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
