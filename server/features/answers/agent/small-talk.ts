import type { AnswerLanguage } from '#contract/agent.ts';

/** What is said to somebody and asks nothing of the documents, without signs and in small letters. */
const said: Record<'greeted' | 'thanked', Record<AnswerLanguage, readonly string[]>> = {
  greeted: {
    en: [
      'hi',
      'hello',
      'hey',
      'hi there',
      'hello there',
      'hey there',
      'good morning',
      'good afternoon',
      'good evening',
    ],
    de: ['hallo', 'moin', 'servus', 'grüß gott', 'guten morgen', 'guten tag', 'guten abend', 'hallo zusammen'],
    fr: ['bonjour', 'bonsoir', 'salut', 'coucou'],
    es: ['hola', 'buenos días', 'buenas tardes', 'buenas noches', 'buenas'],
  },
  thanked: {
    en: ['thanks', 'thank you', 'thanks a lot', 'thank you very much', 'many thanks', 'great thanks', 'ok thanks'],
    de: ['danke', 'danke schön', 'vielen dank', 'danke dir', 'super danke', 'ok danke'],
    fr: ['merci', 'merci beaucoup', 'merci bien', 'super merci'],
    es: ['gracias', 'muchas gracias', 'mil gracias', 'vale gracias'],
  },
};

/** The longest of them, with signs around it. */
const maxLength = 60;

/** A greeting or thanks, by itself: what is more than that is looked up. Null for anything else. */
export function smallTalkOf(text: string): { kind: 'greeted' | 'thanked'; language: AnswerLanguage } | null {
  if (text.length > maxLength) return null;
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\s]+/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ');
  for (const kind of ['greeted', 'thanked'] as const)
    for (const language of ['en', 'de', 'fr', 'es'] as const)
      if (said[kind][language].includes(words)) return { kind, language };
  return null;
}
