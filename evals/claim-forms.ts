/** The ways in which models write one claim with its marker. The right passage is the second that they were given. */
export const forms = [
  'plain text',
  'in an answer',
  '1. item',
  '- **Label:** text',
  'table cell',
  '(2)',
  '[passage 2]',
  '[^2]',
  'Source: [2]',
  'wrong number',
  'no number',
] as const;
export type Form = (typeof forms)[number];

const labels: Record<string, string> = { en: 'Rule', de: 'Regelung', fr: 'Règle', es: 'Norma' };
const heads: Record<string, [string, string]> = {
  en: ['Topic', 'Detail'],
  de: ['Thema', 'Angabe'],
  fr: ['Sujet', 'Détail'],
  es: ['Tema', 'Detalle'],
};
const sources: Record<string, string> = { en: 'Source', de: 'Quelle', fr: 'Source', es: 'Fuente' };

/** A passage of one sentence, which a model cites rightly before the claim where the claim stands in an answer. */
export const anchor = 'The garden gate is painted in a bright shade of yellow.';

/**
 * @param sentence as a model would write it, without a marker
 * @returns the answer, or null where the sentence has a form of its own and cannot take this one
 */
export function answerIn(form: Form, sentence: string, lang: string): string | null {
  const isMarkup = /^(?:[-*|#]|\d+\. )|\*\*/.test(sentence);
  const before = `${anchor.slice(0, -1)} [1]. `;
  const [topic, detail] = heads[lang] ?? ['', ''];
  switch (form) {
    case 'plain text':
      return withMarker(sentence, '[2]');
    case 'in an answer':
      return isMarkup ? `${before}\n\n${withMarker(sentence, '[2]')}` : before + withMarker(sentence, '[2]');
    case '1. item':
      return isMarkup ? null : `1. ${withMarker(sentence, '[2]')}`;
    case '- **Label:** text':
      return isMarkup ? null : `- **${labels[lang]}:** ${withMarker(sentence, '[2]')}`;
    case 'table cell':
      return isMarkup
        ? null
        : `| ${topic} | ${detail} |\n|---|---|\n| ${labels[lang]} | ${withMarker(sentence, '[2]')} |`;
    case 'Source: [2]':
      return `${sentence}\n\n${sources[lang]}: [2]`;
    case 'wrong number':
      return before + withMarker(sentence, '[3]');
    case 'no number':
      return before + sentence;
    default:
      return withMarker(sentence, form);
  }
}

/** Before the full stop, or inside the last cell of a row. */
function withMarker(sentence: string, marker: string): string {
  const [, text = sentence, end = ''] = /^(.*?)([.!]|\s*\|)?$/su.exec(sentence) ?? [];
  return `${text} ${marker}${end}`;
}
