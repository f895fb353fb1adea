import type { MailLanguage } from '#contract/settings.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import type { MailTexts } from './words.ts';

/** Every mail in every language. */
export const mailTexts: Record<MailLanguage, MailTexts> = { en: english, de: german, fr: french, es: spanish };
