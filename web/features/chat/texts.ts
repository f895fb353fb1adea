import type { AnswerLanguage } from '#contract/agent.ts';

/** What stands beside an answer in the language of the answer, since it is read together with it. */
interface BesideAnswer {
  closest: string;
  followingUp: string;
  /** Asks once more, by the question's own words. */
  askAlone: string;
}

const besideAnswers: Record<AnswerLanguage, BesideAnswer> = {
  en: { closest: 'Closest passages:', followingUp: 'Following up on:', askAlone: 'Ask without it' },
  de: { closest: 'Am nächsten kommen:', followingUp: 'Im Anschluss an:', askAlone: 'Ohne das fragen' },
  fr: { closest: 'Passages les plus proches :', followingUp: 'À la suite de :', askAlone: 'Demander sans cela' },
  es: { closest: 'Pasajes más cercanos:', followingUp: 'A raíz de:', askAlone: 'Preguntar sin eso' },
};

/** @param language of the answer; absent in one that was kept before languages were told */
export function besideAnswer(language: AnswerLanguage | undefined): BesideAnswer {
  return besideAnswers[language ?? 'en'];
}
