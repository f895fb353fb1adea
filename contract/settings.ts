/** What companies decide about themselves. Browser and server read the same lists. */

/** What our mails are written in. */
export const mailLanguages = ['en', 'de', 'fr', 'es'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** After how many days at the latest one has to sign in again. */
export const sessionDayChoices = [1, 7, 30, 90] as const;

/** After how many minutes without use one has to sign in again. */
export const sessionIdleChoices = [15, 30, 60, 240, 720] as const;

/** Characters of the brand's name, and bytes of its logo as it is sent. */
export const brandBounds = { name: 40, logoBytes: 200_000, logoWidth: 800, logoHeight: 200 } as const;
