/** Languages whose number words are known. */
type Language = 'en' | 'de' | 'fr' | 'es';

/** What number words are worth, by language, folded (lower case, no accents). */
const small: Record<Language, string> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
};
const larger: Record<Language, Record<string, number>> = {
  en: {
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
    dozen: 12,
  },
  de: {
    ein: 1,
    eine: 1,
    einen: 1,
    einem: 1,
    einer: 1,
    eines: 1,
    zwo: 2,
    dreissig: 30,
    vierzig: 40,
    funfzig: 50,
    sechzig: 60,
    siebzig: 70,
    achtzig: 80,
    neunzig: 90,
    dutzend: 12,
    anderthalb: 1.5,
    eineinhalb: 1.5,
  },
  fr: {
    une: 1,
    trente: 30,
    quarante: 40,
    cinquante: 50,
    soixante: 60,
    septante: 70,
    huitante: 80,
    nonante: 90,
    douzaine: 12,
  },
  es: {
    un: 1,
    una: 1,
    veintiuno: 21,
    veintiun: 21,
    veintiuna: 21,
    veintidos: 22,
    veintitres: 23,
    veinticuatro: 24,
    veinticinco: 25,
    veintiseis: 26,
    veintisiete: 27,
    veintiocho: 28,
    veintinueve: 29,
    treinta: 30,
    cuarenta: 40,
    cincuenta: 50,
    sesenta: 60,
    setenta: 70,
    ochenta: 80,
    noventa: 90,
    doscientos: 200,
    doscientas: 200,
    trescientos: 300,
    trescientas: 300,
    cuatrocientos: 400,
    quinientos: 500,
    quinientas: 500,
    seiscientos: 600,
    setecientos: 700,
    ochocientos: 800,
    novecientos: 900,
    docena: 12,
  },
};
/** What multiplies the number before it. */
const scales: Record<Language, Record<string, number>> = {
  en: {
    hundred: 100,
    thousand: 1e3,
    million: 1e6,
    millions: 1e6,
    billion: 1e9,
    billions: 1e9,
    bn: 1e9,
    trillion: 1e12,
    mn: 1e6,
    mio: 1e6,
    k: 1e3,
    m: 1e6,
    b: 1e9,
  },
  de: {
    hundert: 100,
    tausend: 1e3,
    tsd: 1e3,
    million: 1e6,
    millionen: 1e6,
    mio: 1e6,
    milliarde: 1e9,
    milliarden: 1e9,
    mrd: 1e9,
    k: 1e3,
    billion: 1e12,
    billionen: 1e12,
  },
  fr: {
    cent: 100,
    cents: 100,
    mille: 1e3,
    million: 1e6,
    millions: 1e6,
    milliard: 1e9,
    milliards: 1e9,
    mio: 1e6,
    mrd: 1e9,
    k: 1e3,
    m: 1e6,
    md: 1e9,
  },
  es: { cien: 100, ciento: 100, mil: 1e3, millon: 1e6, millones: 1e6, billon: 1e12, billones: 1e12, k: 1e3, m: 1e6 },
};
const ordinals: Record<Language, string[]> = {
  en: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  de: ['erst', 'zweit', 'dritt', 'viert', 'funft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt'],
  fr: [
    'premier',
    'deuxieme',
    'troisieme',
    'quatrieme',
    'cinquieme',
    'sixieme',
    'septieme',
    'huitieme',
    'neuvieme',
    'dixieme',
  ],
  es: ['primer', 'segund', 'tercer', 'cuart', 'quint', 'sext', 'septim', 'octav', 'noven', 'decim'],
};

const worth = new Map<string, number>();
const scaleOf = new Map<string, number>();
const languages = ['en', 'de', 'fr', 'es'] as const;
for (const language of languages) {
  for (const [value, word] of small[language].split(' ').entries()) worth.set(`${language} ${word}`, value);
  for (const [word, value] of Object.entries(larger[language])) worth.set(`${language} ${word}`, value);
  for (const [word, value] of Object.entries(scales[language])) scaleOf.set(`${language} ${word}`, value);
}

/** The single words for a number, folded, each with its language: `dreissig`, `thirty` for 30. */
export function wordsFor(value: number): { word: string; language: Language }[] {
  return [...worth].flatMap(([key, own]) => {
    const [language, word = ''] = key.split(' ');
    const of = languages.find((each) => each === language);
    return own === value && of ? [{ word, language: of }] : [];
  });
}

/** What a folded word multiplies a number by; null where it is no scale. */
export function scaleOfWord(word: string, language: Language): number | null {
  const own = scaleOf.get(`${language} ${word}`);
  if (own !== undefined || word.length < 3) return own ?? null;
  // "Mio" and "Millionen" are the same wherever they stand.
  for (const other of languages) {
    const scale = scaleOf.get(`${other} ${word}`);
    if (scale !== undefined) return scale;
  }
  return null;
}

/** Scales that are words of their own, and so no unit or letter. */
export function isLongScale(word: string, language: Language): boolean {
  return word.length > 1 && scaleOf.has(`${language} ${word}`);
}

/** What a folded word is worth by itself, German compounds and hyphens included; null where it is no number. */
export function valueOfWord(word: string, language: Language): number | null {
  const own = worth.get(`${language} ${word}`);
  if (own !== undefined) return own;
  if (word.includes('-')) return sumOf(word.split('-'), language);
  return language === 'de' && word.length <= 40 ? germanCompound(word) : null;
}

/** The number that a folded word counts off ("third", "3rd", "dritte"); null where it is none. */
export function ordinalOfWord(word: string, language: Language): number | null {
  const digits = /^(\d{1,3})(?:st|nd|rd|th|er|re|eme|e|o|a)$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits);
  const stem =
    language === 'de'
      ? /^(\p{L}+?)(?:e[nmrs]?)$/u.exec(word)?.[1]
      : language === 'es'
        ? word.replace(/[oa]s?$/, '')
        : word.replace(/e?s?$/, '');
  const at = ordinals[language].findIndex(
    (each) =>
      each === word || each === stem || (language === 'fr' && word.startsWith(each) && word.length - each.length <= 2),
  );
  return at === -1 ? null : at + 1;
}

/** "quatre-vingt-dix": tens and ones added, "quatre vingt" multiplied. */
export function sumOf(words: readonly string[], language: Language): number | null {
  let sum = 0;
  for (const word of words) {
    if (/^(?:and|und|et|y)$/.test(word)) continue;
    const value = worth.get(`${language} ${word}`) ?? worth.get(`${language} ${word.replace(/s$/, '')}`);
    const scale = scaleOf.get(`${language} ${word}`);
    if (value !== undefined) sum = language === 'fr' && value === 20 && sum === 4 ? 80 : sum + value;
    else if (scale !== undefined) sum = Math.max(1, sum) * scale;
    else return null;
  }
  return sum;
}

/** "zweihundertfünfundzwanzig", "zweieinhalb"; a table of the ends that have been tried keeps it linear. */
function germanCompound(word: string): number | null {
  const half = /^(.+)einhalb$/.exec(word)?.[1];
  if (half !== undefined) {
    const whole = worth.get(`de ${half}`);
    return whole === undefined ? null : whole + 0.5;
  }
  const scaled = /^(.*?)(tausend|hundert)(.*)$/.exec(word);
  if (scaled) {
    const [, before = '', scale = '', behind = ''] = scaled;
    const factor = before === '' ? 1 : valueOfWord(before, 'de');
    const rest = behind === '' ? 0 : valueOfWord(behind.replace(/^und/, ''), 'de');
    return factor === null || rest === null ? null : factor * (scale === 'tausend' ? 1000 : 100) + rest;
  }
  const tens =
    /^(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun)und(zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig)$/.exec(
      word,
    );
  if (!tens) return null;
  return (worth.get(`de ${tens[1]}`) ?? 0) + (worth.get(`de ${tens[2]}`) ?? 0);
}
