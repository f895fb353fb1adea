import type { Nodes } from 'mdast';
import type { Source } from '#web/features/chat/conversation/message.ts';
import type { AnswerText } from './answer-text.ts';

/** What is marked on the screen is not taken along as if it were proven. */
export const unproven = ' (no source)';

/** A part of an answer as plain text. @param known the sources that markers may name */
export function textCopy({ inlines, plain }: AnswerText, known: ReadonlyMap<number, Source>): (node: Nodes) => string {
  const plainOf = (node: Nodes): string => {
    switch (node.type) {
      case 'text':
        return inlines(node)
          .map((each) => {
            if (each.kind === 'marker') return each.numbers.map((n) => (known.has(n) ? `[${n}]` : '')).join('');
            return each.kind === 'text' ? each.text : unproven;
          })
          .join('');
      case 'inlineCode':
      case 'code':
        return plain(node.value);
      case 'break':
        return '\n';
      case 'list':
        return node.children
          .map((item, place) => `${node.ordered ? `${(node.start ?? 1) + place}.` : '-'} ${indented(plainOf(item))}`)
          .join('\n');
      case 'table':
        return node.children
          .map(({ children }, place) => {
            const row = `| ${children.map((cell) => plainOf(cell).replaceAll('|', '\\|')).join(' | ')} |`;
            return place === 0 ? `${row}\n|${'---|'.repeat(children.length)}` : row;
          })
          .join('\n');
      case 'blockquote':
        return node.children.map(plainOf).join('\n\n').replace(/^/gm, '> ');
      case 'root':
      case 'listItem':
        return node.children.map(plainOf).join('\n\n');
      default:
        return 'children' in node ? node.children.map(plainOf).join('') : '';
    }
  };
  return plainOf;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
