/**
 * Distances, type, corners, colours and breakpoints have their values in `web/ui/tokens.css` and
 * `web/ui/breakpoints.module.css`; everywhere else they are named. Widths and heights are a component's own, and `em`
 * is a share of the text it stands in.
 */
const lengths = ['px', 'rem', 'pt', 'ch'];
const message = 'Use a token of web/ui/tokens.css.';

export default {
  rules: {
    'declaration-property-unit-disallowed-list': [
      {
        '/^(margin|padding|gap|row-gap|column-gap|inset|top|right|bottom|left)/': lengths,
        '/^font/': [...lengths, 'em', '%'],
        'letter-spacing': [...lengths, 'em'],
        '/radius$/': lengths,
        '/^(transition|animation)/': ['s', 'ms'],
      },
      { message },
    ],
    'color-no-hex': [true, { message }],
    'color-named': ['never', { message }],
    'function-disallowed-list': [['/^rgba?$/', '/^hsla?$/', '/^ok/', '/^l(ab|ch)$/'], { message }],
    'media-feature-name-disallowed-list': [
      ['/width$/', '/height$/'],
      { message: 'Use a breakpoint of web/ui/breakpoints.module.css.' },
    ],
  },
  overrides: [
    {
      files: ['web/ui/tokens.css'],
      rules: {
        'color-no-hex': null,
        'function-disallowed-list': null,
        'declaration-property-unit-disallowed-list': null,
      },
    },
    { files: ['web/ui/breakpoints.module.css'], rules: { 'media-feature-name-disallowed-list': null } },
  ],
};
