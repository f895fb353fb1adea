/** Languages in which questions are made. */
export type QuestionLanguage = 'en' | 'de' | 'fr' | 'es' | 'it' | 'ja' | 'zh';

/** How a language asks, and how it says what something is. A pattern's `term` is what is asked for. */
interface Phrases {
  /** How somebody begins who wants to know something; a heading may end in a question mark, too. */
  begins: RegExp;
  /** "X means ...", at the beginning of a sentence. */
  meaning: { patterns: RegExp[]; ask: (term: string) => string };
  /** "X is a ...". */
  kind?: { pattern: RegExp; ask: (term: string, article: string) => string };
  /** For a cell of a table: by what its row is called, and the name of its column. */
  cell: (row: string, column: string) => string;
}

/** Perhaps in quotation marks. */
const term = `[“"„«‹]?\\s?(?<term>[^“”"„«»‹›.,:;()]{2,60}?)\\s?[”"“»›]?`;
/** A column that is a time or a model rather than what is told of it: "2024", "Q3", "31.12.2025", "TS-540". */
export const isEdition = /\b(?:19|20)\d\d\b|^Q[1-4]$|^[A-Z]{1,4}-\d{1,4}[A-Z]?$/;

export const phrases: Record<QuestionLanguage, Phrases> = {
  en: {
    begins:
      /^(?:who|whose|whom|what|which|when|where|why|how|can|could|may|must|should|do|does|did|is|are|was|will|am)\b/i,
    meaning: {
      patterns: [new RegExp(`^(?:(?:The|An?) )?(?:term )?${term} (?:means|refers to|is defined as|stands for) `)],
      ask: (term) => `What does “${term}” mean?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?<article>The|An?) )?${term} is an? `),
      ask: (term, article) => `What is ${article === '' ? '' : `${article.toLowerCase()} `}${term}?`,
    },
    cell: askedInEnglish,
  },
  de: {
    begins:
      /^(?:wer|wen|wem|wessen|was|welche[rmns]?|wann|wo\p{L}*|warum|weshalb|wie|kann|können|darf|dürfen|muss|müssen|soll|sollte|gibt|ist|sind|hat|habe|haben|bekomm\p{L}*|an wen|bis wann|ab wann|für wen)(?!\p{L})/iu,
    meaning: {
      patterns: [
        new RegExp(`^(?:(?:Der|Die|Das|Eine?) )?(?:Begriff )?${term} (?:bezeichnet|bedeutet|ist definiert als) `),
        new RegExp(`^Unter (?:einer |einem |der |dem )?${term} versteh(?:t|en) `),
      ],
      ask: (term) => `Was heißt „${term}“?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?<article>Der|Die|Das|Eine?) )?${term} ist eine? `),
      ask: (term, article) => `Was ist ${article === '' ? '' : `${article.toLowerCase()} `}${term}?`,
    },
    cell: (row, column) => `Was steht unter „${column}“ für ${quotedPhrase(row, '„', '“')}?`,
  },
  fr: {
    begins:
      /^(?:qui|que|qu[’']|quel(?:le)?s?|quand|où|pourquoi|comment|combien|est-ce|puis-je|peut-on|dois-je|faut-il|à qui|y a-t-il)(?!\p{L})/iu,
    meaning: {
      patterns: [
        new RegExp(
          `^(?:(?:La|Le|Les|Une?) |L[’'])?(?:terme )?${term} (?:désigne|signifie|est définie? comme|s[’']entend) `,
        ),
      ],
      ask: (term) => `Que signifie « ${term} » ?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?:La|Le|Une?) |L[’'])?${term} est une? `),
      ask: (term) => `Qu’est-ce que « ${term} » ?`,
    },
    cell: (row, column) => `Quelle valeur figure sous « ${column} » pour ${quotedPhrase(row, '« ', ' »')} ?`,
  },
  es: {
    begins:
      /^¿?(?:quién(?:es)?|qué|cuál(?:es)?|cuándo|cuánt[oa]s?|dónde|cómo|por qué|a quién|puedo|se puede|debo|hay|es|son)(?!\p{L})/iu,
    meaning: {
      patterns: [
        new RegExp(
          `^(?:(?:La|El|Los|Las|Una?) )?(?:término )?${term} (?:significa|designa|se define como|se refiere a) `,
        ),
      ],
      ask: (term) => `¿Qué significa «${term}»?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?:La|El|Una?) )?${term} es una? `),
      ask: (term) => `¿Qué es «${term}»?`,
    },
    cell: (row, column) => `¿Qué figura en «${column}» para ${quotedPhrase(row, '«', '»')}?`,
  },
  it: {
    begins:
      /^(?:chi|che|quale|quali|qual|quando|quant[oaie]|dove|come|perché|a chi|posso|si può|devo|c[’']è|è)(?!\p{L})/iu,
    meaning: {
      patterns: [
        new RegExp(`^(?:(?:La|Il|Lo|Una?) |L[’'])?(?:termine )?${term} (?:significa|indica|designa|si riferisce a) `),
      ],
      ask: (term) => `Che cosa significa «${term}»?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?:La|Il|Lo|Una?) |L[’'])?${term} è una? `),
      ask: (term) => `Che cos’è «${term}»?`,
    },
    cell: (row, column) => `Che cosa è indicato in «${column}» per ${quotedPhrase(row, '«', '»')}?`,
  },
  ja: {
    begins: /\p{Lo}/u,
    meaning: { patterns: [/^「?(?<term>[^「」、。：]{2,20}?)」?とは、/], ask: (term) => `${term}とは何ですか？` },
    cell: (row, column) => `${row}の「${column}」は何ですか？`,
  },
  zh: {
    begins: /\p{Lo}/u,
    meaning: {
      patterns: [/^[“「]?(?<term>[^“”「」，。：]{2,20}?)[”」]?(?:是指|指的是)/],
      ask: (term) => `什么是${term}？`,
    },
    cell: (row, column) => `${row}的“${column}”是什么？`,
  },
};

/** What is called, what is counted, and what belongs to something rather than being decided for it. */
const called = /^(?:extension|phone|telephone|mobile|hotline)(?: number)?$/i;
const counted = /^(?:days|weeks|months|nights) of /i;
const belonging = /^(?:address|e-?mail address|opening hours|owner|manager|head)$/i;

function askedInEnglish(row: string, column: string): string {
  if (isEdition.test(column)) return `What is “${row}” for ${quotedPhrase(column, '“', '”')}?`;
  const [what, which] = [lowered(column), quotedPhrase(row, '“', '”')];
  if (called.test(column)) return `Which ${what}${/phone$/i.test(what) ? ' number' : ''} do I call for ${which}?`;
  if (counted.test(column)) return `How many ${what} are there for ${which}?`;
  return `What ${isPlural(column) ? 'are' : 'is'} the ${what} ${belonging.test(column) ? 'of' : 'for'} ${which}?`;
}

/** A name as it is; what is more than a name in quotation marks, so that the question can be read. */
function quotedPhrase(row: string, open: string, close: string): string {
  return /\s\p{Ll}/u.test(row) ? `${open}${row}${close}` : row;
}

/** Whether the name of a column stands for several: "Days of leave", "Opening hours", "First and last day". */
function isPlural(column: string): boolean {
  const [head = ''] = column.split(/ (?:of|per|in|for|at|by|to|from|with|up|,)\b/);
  return /[^sui]s$| and /i.test(head);
}

/** "Limit per night" as it stands within a sentence; "VAT", "eMail" and "Stanley Cups" as they are. */
function lowered(column: string): string {
  return /^\p{Lu}\p{Ll}/u.test(column) && !/\s\p{Lu}/u.test(column)
    ? column.charAt(0).toLowerCase() + column.slice(1)
    : column;
}

export function isQuestionLanguage(language: string): language is QuestionLanguage {
  return Object.hasOwn(phrases, language);
}
