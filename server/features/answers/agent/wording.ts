import type { AnswerLanguage } from '#contract/agent.ts';
import { detectLanguage, guessLanguage } from '#server/lib/language.ts';

/** Our own sentences in answers, in one language. */
export interface Wording {
  /** BCP 47, for lists of words. */
  locale: string;
  oneQuote: string;
  quotes: string;
  /** Without its full stop: what is missing may follow. */
  notFound: string;
  nothingUploaded: string;
  /** To a greeting, and to thanks. */
  greeted: string;
  thanked: string;
  /** Why quotes stand where an answer was to be written. */
  failed: string;
  unsupported: string;
  outdated: string;
  /** Why a written answer ends where it does. */
  cutOff: string;
  brokenOff: string;
  notChecked: string;
  /** What is missing, as the end of a sentence. */
  names: (names: string) => string;
  years: (years: string) => string;
  closest: (years: string) => string;
}

export const wordings: Record<AnswerLanguage, Wording> = {
  en: {
    locale: 'en-GB',
    oneQuote: 'From your documents:',
    quotes: 'From your documents, in these places:',
    notFound: 'No clear answer',
    nothingUploaded:
      'There are no documents to answer from yet. As soon as some are uploaded and read, I can answer from them.',
    greeted: 'Hello. What would you like to know from your documents?',
    thanked: 'You are welcome. Is there anything else that you would like to know?',
    failed: 'The language model did not answer, so this was looked up in your documents without it.',
    unsupported: 'What the language model wrote is not in your documents, so they were looked up without it.',
    outdated: 'A document changed while the answer was being written, so it was looked up again.',
    cutOff: 'The answer grew too long and was cut off here.',
    brokenOff: 'The language model broke off here. What it had written until then is checked.',
    notChecked: 'None of this could be checked word for word: please compare it with the passages below.',
    names: (names) => `nothing in your documents mentions ${names}`,
    years: (years) => `nothing in your documents is about this in ${years}`,
    closest: (years) => `what comes closest is about ${years}`,
  },
  de: {
    locale: 'de',
    oneQuote: 'Aus Ihren Dokumenten:',
    quotes: 'Aus Ihren Dokumenten, von diesen Stellen:',
    notFound: 'Keine eindeutige Antwort',
    nothingUploaded:
      'Es gibt noch keine Dokumente, aus denen ich antworten kann. Sobald welche hochgeladen und gelesen sind, antworte ich daraus.',
    greeted: 'Guten Tag. Was möchten Sie aus Ihren Dokumenten wissen?',
    thanked: 'Gern geschehen. Möchten Sie noch etwas wissen?',
    failed: 'Das Sprachmodell hat nicht geantwortet. Deshalb wurde ohne das Modell in Ihren Dokumenten nachgesehen.',
    unsupported:
      'Was das Sprachmodell geschrieben hat, steht nicht in Ihren Dokumenten. Deshalb wurde ohne das Modell nachgesehen.',
    outdated: 'Während die Antwort entstand, hat sich ein Dokument geändert. Deshalb wurde noch einmal nachgesehen.',
    cutOff: 'Die Antwort wurde zu lang und bricht hier ab.',
    brokenOff: 'Das Sprachmodell hat hier abgebrochen. Was es bis dahin geschrieben hat, ist geprüft.',
    notChecked: 'Nichts davon ließ sich Wort für Wort prüfen: Bitte vergleichen Sie es mit den Stellen unten.',
    names: (names) => `nichts in Ihren Dokumenten erwähnt ${names}`,
    years: (years) => `nichts in Ihren Dokumenten betrifft ${years}`,
    closest: (years) => `am nächsten kommt, was ${years} betrifft`,
  },
  fr: {
    locale: 'fr',
    oneQuote: 'D’après vos documents :',
    quotes: 'D’après vos documents, à ces endroits :',
    notFound: 'Pas de réponse claire',
    nothingUploaded:
      'Il n’y a pas encore de documents à partir desquels répondre. Dès que des documents auront été importés et lus, je pourrai en tirer mes réponses.',
    greeted: 'Bonjour. Que souhaitez-vous savoir de vos documents ?',
    thanked: 'Je vous en prie. Souhaitez-vous savoir autre chose ?',
    failed: 'Le modèle de langage n’a pas répondu. La recherche dans vos documents a donc été faite sans lui.',
    unsupported:
      'Ce que le modèle de langage a écrit ne se trouve pas dans vos documents. La recherche a donc été faite sans lui.',
    outdated: 'Un document a changé pendant la rédaction de la réponse. La recherche a donc été refaite.',
    cutOff: 'La réponse devenait trop longue et s’arrête ici.',
    brokenOff: 'Le modèle de langage s’est interrompu ici. Ce qu’il avait écrit jusque-là est vérifié.',
    notChecked: 'Rien de ceci n’a pu être vérifié mot pour mot : comparez-le avec les passages ci-dessous.',
    names: (names) => `rien dans vos documents ne mentionne ${names}`,
    years: (years) => `rien dans vos documents ne concerne ${years}`,
    closest: (years) => `ce qui s’en approche le plus concerne ${years}`,
  },
  es: {
    locale: 'es',
    oneQuote: 'Según sus documentos:',
    quotes: 'Según sus documentos, en estos lugares:',
    notFound: 'No hay una respuesta clara',
    nothingUploaded:
      'Todavía no hay documentos con los que responder. En cuanto se hayan subido y leído, podré responder a partir de ellos.',
    greeted: 'Buenos días. ¿Qué quiere saber de sus documentos?',
    thanked: 'De nada. ¿Quiere saber algo más?',
    failed: 'El modelo de lenguaje no ha respondido, así que se ha buscado en sus documentos sin él.',
    unsupported:
      'Lo que ha escrito el modelo de lenguaje no está en sus documentos, así que se ha buscado en ellos sin él.',
    outdated: 'Un documento cambió mientras se escribía la respuesta, así que se ha buscado de nuevo.',
    cutOff: 'La respuesta se alargó demasiado y se corta aquí.',
    brokenOff: 'El modelo de lenguaje se interrumpió aquí. Lo que había escrito hasta entonces está comprobado.',
    notChecked: 'Nada de esto se ha podido comprobar palabra por palabra: compárelo con los pasajes de abajo.',
    names: (names) => `nada en sus documentos menciona ${names}`,
    years: (years) => `nada en sus documentos trata de ${years}`,
    closest: (years) => `lo más cercano trata de ${years}`,
  },
};

/** Letters of a question by which its language can be told where nothing narrows it down. */
const minLetters = 30;

/**
 * The language of our own sentences, and of a written answer where the company has chosen.
 * @param languages what the company allows, the usual one first; empty: any
 */
export function answerLanguage(question: string, languages: readonly AnswerLanguage[]): AnswerLanguage {
  const [usual = 'en', ...others] = languages;
  if (languages.length > 0 && others.length === 0) return usual;
  // Of a few words it is a guess, which can only be wrong among the languages that the company wants.
  const guess = languages.length > 0 ? guessLanguage(question) : detectLanguage(question, minLetters);
  const known = languages.length > 0 ? languages : all;
  return known.find((language) => language === guess) ?? usual;
}

const all: readonly AnswerLanguage[] = ['en', 'de', 'fr', 'es'];
