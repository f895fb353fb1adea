import type { Nodes, TableRow } from 'mdast';
import { type Message, placeOf, type Source } from '#web/features/chat/conversation/message.ts';
import type { Copied } from '#web/lib/clipboard.ts';
import { readAnswer } from './answer-text.ts';

/**
 * An answer with its sources as footnotes, as plain text and as HTML, to be pasted elsewhere.
 *
 * @param origin in front of the sources' addresses, which lead to the passage for everyone in the company
 */
export function copyOf(
  { text, sources, unsupported = [] }: Pick<Message, 'text' | 'unsupported'> & { sources: readonly Source[] },
  origin: string,
): Copied {
  const { tree, inlines, plain } = readAnswer(text, { unsupported });
  const known = new Map(sources.map((source) => [source.n, source]));
  const addressOf = ({ url }: Source) => (url === '' ? null : new URL(url, origin).href);

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

  const notes = sources
    .filter(({ supporting }) => !supporting)
    .map((source) => ({ ...source, place: placeOf(source), address: addressOf(source) }));
  return {
    text: [
      plainOf(tree),
      ...(notes.length === 0
        ? []
        : [
            notes
              .map(({ n, place, quote, address }) =>
                [`[${n}] ${place}: “${quote}”`, ...(address === null ? [] : [`    ${address}`])].join('\n'),
              )
              .join('\n'),
          ]),
    ].join('\n\n'),
    html: [
      htmlOf(tree),
      ...(notes.length === 0
        ? []
        : [
            '<hr>',
            `<ol>${notes
              .map(
                ({ n, place, quote, address }) =>
                  `<li value="${n}">${linked(place, address)}: <q>${escaped(quote)}</q></li>`,
              )
              .join('')}</ol>`,
          ]),
    ].join(''),
  };
}

/** What is marked on the screen is not taken along as if it were proven. */
const unproven = ' (no source)';

const tags: Partial<Record<Nodes['type'], string>> = {
  paragraph: 'p',
  heading: 'h3',
  strong: 'strong',
  emphasis: 'em',
  listItem: 'li',
  blockquote: 'blockquote',
};

function linked(text: string, address: string | null): string {
  return address === null ? escaped(text) : `<a href="${escaped(address)}">${escaped(text)}</a>`;
}

/** What stands in a document stays text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
