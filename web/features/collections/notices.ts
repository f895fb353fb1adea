/** Our texts about collections that stand on screens of other features: those load no more than these. */
export const notices = {
  notLoaded: 'The collections could not be loaded.',
} as const;
