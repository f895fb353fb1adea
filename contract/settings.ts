/** What companies decide about themselves. */

/** What our mails are written in. */
export const mailLanguages = ['en', 'de', 'fr', 'es'] as const;
