/** Languages in which questions are made. */
export type QuestionLanguage = 'en' | 'de' | 'fr' | 'es' | 'it' | 'ja' | 'zh';

/** How a language asks, and how it says what something is. A pattern's `term` is what is asked for. */
interface Phrases {
  /** "X means ...", at the beginning of a sentence. */
  meaning: { patterns: RegExp[]; ask: (term: string) => string };
  /** "X is a ...". */
  kind?: { pattern: RegExp; ask: (term: string, article: string) => string };
  /** For a cell of a table: by what its row is called, and the name of its column. */
  cell: (row: string, column: string) => string;
  /** For what stands below a heading. */
  topic: (title: string, topic: string) => string;
}

/** Perhaps in quotation marks. */
const term = `[“"„«‹]?\\s?(?<term>[^“”"„«»‹›.,:;()]{2,60}?)\\s?[”"“»›]?`;
/** A column that is a year or a model rather than what is told of it: "2024", "Q3", "TS-540". */
const hasDigit = /\d/;

export const phrases: Record<QuestionLanguage, Phrases> = {
  en: {
    meaning: {
      patterns: [new RegExp(`^(?:(?:The|An?) )?(?:term )?${term} (?:means|refers to|is defined as|stands for) `)],
      ask: (term) => `What does “${term}” mean?`,
    },
    kind: {
      pattern: new RegExp(`^(?:(?<article>The|An?) )?${term} is an? `),
      ask: (term, article) => `What is ${article === '' ? '' : `${article.toLowerCase()} `}${term}?`,
    },
    cell: (row, column) =>
      hasDigit.test(column)
        ? `What is “${row}” for ${quotedPhrase(column, '“', '”')}?`
        : `What ${isPlural(column) ? 'are' : 'is'} the ${lowered(column)} for ${quotedPhrase(row, '“', '”')}?`,
    topic: (title, topic) => `What does “${title}” say about “${topic}”?`,
  },
  de: {
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
    topic: (title, topic) => `Was steht in „${title}“ zu „${topic}“?`,
  },
  fr: {
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
    topic: (title, topic) => `Que dit « ${title} » sur « ${topic} » ?`,
  },
  es: {
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
    topic: (title, topic) => `¿Qué dice «${title}» sobre «${topic}»?`,
  },
  it: {
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
    topic: (title, topic) => `Che cosa dice «${title}» su «${topic}»?`,
  },
  ja: {
    meaning: { patterns: [/^「?(?<term>[^「」、。：]{2,20}?)」?とは、/], ask: (term) => `${term}とは何ですか？` },
    cell: (row, column) => `${row}の「${column}」は何ですか？`,
    topic: (title, topic) => `「${title}」には「${topic}」について何が書かれていますか？`,
  },
  zh: {
    meaning: {
      patterns: [/^[“「]?(?<term>[^“”「」，。：]{2,20}?)[”」]?(?:是指|指的是)/],
      ask: (term) => `什么是${term}？`,
    },
    cell: (row, column) => `${row}的“${column}”是什么？`,
    topic: (title, topic) => `“${title}”中关于“${topic}”写了什么？`,
  },
};

/** A name as it is; what is more than a name in quotation marks, so that the question can be read. */
function quotedPhrase(row: string, open: string, close: string): string {
  return /\s\p{Ll}/u.test(row) ? `${open}${row}${close}` : row;
}

/** Whether the name of a column stands for several: "Days of leave", "Opening hours". */
function isPlural(column: string): boolean {
  const [head = ''] = column.split(/ (?:of|per|in|for|at|by|to|from|with|up|,)\b/);
  return /[^sui]s$/i.test(head);
}

/** "Limit per night" as it stands within a sentence; "VAT" and "eMail" as they are. */
function lowered(column: string): string {
  return /^\p{Lu}\p{Ll}/u.test(column) ? column.charAt(0).toLowerCase() + column.slice(1) : column;
}
