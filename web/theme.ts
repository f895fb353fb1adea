import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** The ink blue of `tokens.css` from wash to night; 7 is the accent on paper, 3 the one on the dark page. */
const ink: MantineColorsTuple = [
  '#e9eef8',
  '#d0dbf0',
  '#b6c8ee',
  '#9db8f0',
  '#6f8fcb',
  '#4a6cad',
  '#315395',
  '#1f3f7a',
  '#16305f',
  '#10244a',
];

/** The components' theme. Its colours are the variables of `tokens.css`, so that both kinds of page look alike. */
export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 3 },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // In the dark the accent is light: what stands on it has to be dark.
    if (input.variant !== 'filled') return colors;
    const danger = input.color === 'danger';
    return {
      ...colors,
      background: danger ? 'var(--danger)' : 'var(--accent)',
      hover: danger ? 'var(--danger-strong)' : 'var(--accent-strong)',
      color: danger ? 'var(--paper)' : 'var(--accent-ink)',
    };
  },
  fontFamily: 'var(--sans)',
  headings: { fontFamily: 'var(--serif)', fontWeight: '600' },
  defaultRadius: 'var(--radius)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: {
    xs: 'var(--text-12)',
    sm: 'var(--text-14)',
    md: 'var(--text-15)',
    lg: 'var(--text-17)',
    xl: 'var(--text-20)',
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-default': 'var(--sheet)',
    '--mantine-color-default-hover': 'var(--wash)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-strong)',
    '--mantine-primary-color-light': 'var(--accent-wash)',
    '--mantine-primary-color-light-color': 'var(--accent)',
    '--mantine-primary-color-contrast': 'var(--accent-ink)',
    '--mantine-color-ink-contrast': 'var(--accent-ink)',
  },
  light: {},
  dark: {},
});

/** The page's nonce, without which its policy refuses the styles that components make while they run. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

// The library that locks scrolling under a dialog reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
