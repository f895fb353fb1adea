import type { Nodes, TableRow } from 'mdast';
import type { Source } from '#web/features/chat/conversation/message.ts';
import type { AnswerText } from './answer-text.ts';
import { unproven } from './copy-as-text.ts';

const tags: Partial<Record<Nodes['type'], string>> = {
  paragraph: 'p',
  heading: 'h3',
  strong: 'strong',
  emphasis: 'em',
  listItem: 'li',
  blockquote: 'blockquote',
};

/** A part of an answer as HTML. @param addressOf where a source is found; null: nowhere */
export function htmlCopy(
  { inlines, plain }: AnswerText,
  known: ReadonlyMap<number, Source>,
  addressOf: (source: Source) => string | null,
): (node: Nodes) => string {
  const htmlOf = (node: Nodes): string => {
    const inner = () => ('children' in node ? node.children.map(htmlOf).join('') : '');
    switch (node.type) {
      case 'text':
        return inlines(node)
          .map((each) => {
            if (each.kind === 'marker') return each.numbers.map(markerHtml).join('');
            return each.kind === 'text' ? escaped(each.text) : unproven;
          })
          .join('');
      case 'inlineCode':
        return `<code>${escaped(plain(node.value))}</code>`;
      case 'code':
        return `<pre>${escaped(plain(node.value))}</pre>`;
      case 'break':
        return '<br>';
      case 'list':
        return node.ordered ? `<ol start="${node.start ?? 1}">${inner()}</ol>` : `<ul>${inner()}</ul>`;
      case 'table': {
        const rowOf = (cells: TableRow['children'], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${htmlOf(cell)}</${tag}>`).join('')}</tr>`;
        const [head, ...rows] = node.children;
        const body = rows.map(({ children }) => rowOf(children, 'td')).join('');
        return `<table><thead>${rowOf(head?.children ?? [], 'th')}</thead><tbody>${body}</tbody></table>`;
      }
      default: {
        const tag = tags[node.type];
        return tag ? `<${tag}>${inner()}</${tag}>` : inner();
      }
    }
  };

  const markerHtml = (n: number): string => {
    const source = known.get(n);
    if (!source) return '';
    return `<sup>${linked(`[${n}]`, addressOf(source))}</sup>`;
  };

  return htmlOf;
}

export function linked(text: string, address: string | null): string {
  return address === null ? escaped(text) : `<a href="${escaped(address)}">${escaped(text)}</a>`;
}

/** What stands in a document stays text. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
