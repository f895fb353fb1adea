import type { PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Block } from '../document.ts';
import { readText } from '../encoding.ts';
import { htmlBlocks } from './html.ts';
import type { Parser } from './parser.ts';
import { tableBlocks } from './table.ts';

export const parseMarkdown: Parser = async ({ path, limits }, sink) => {
  for (const block of markdownBlocks(await readText(path, limits))) sink.block(block);
};

/** The blocks of a Markdown text (GitHub's flavour) without its syntax. */
export function markdownBlocks(markdown: string): Generator<Block> {
  const root: Root = fromMarkdown(withoutFrontMatter(markdown), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return blocksOf(root.children, 'paragraph');
}

function* blocksOf(nodes: readonly RootContent[], kind: 'paragraph' | 'item'): Generator<Block> {
  for (const node of nodes) {
    switch (node.type) {
      case 'heading':
        yield { kind: 'heading', level: node.depth, text: inlineText(node.children) };
        break;
      case 'paragraph':
        yield { kind, text: inlineText(node.children) };
        break;
      case 'code':
        yield { kind: 'code', text: node.value };
        break;
      case 'html':
        yield* htmlBlocks(node.value);
        break;
      case 'table':
        yield* tableBlocks(
          node.children.map((row) => row.children.map((cell) => inlineText(cell.children))),
          { header: true },
        );
        break;
      case 'list':
        for (const item of node.children) yield* blocksOf(item.children, 'item');
        break;
      case 'blockquote':
      case 'footnoteDefinition':
        yield* blocksOf(node.children, kind);
        break;
    }
  }
}

function inlineText(nodes: readonly PhrasingContent[]): string {
  return nodes.map(textOf).join('');
}

function textOf(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return ' ';
    case 'html':
      return /^<(br|\/?(p|div|li|td))\b/i.test(node.value) ? ' ' : '';
    case 'linkReference': {
      const text = inlineText(node.children);
      // A numbered reference reads `[36]` on the page, whether or not it is defined as a link.
      return node.referenceType === 'shortcut' && /^\d+$/.test(text) ? `[${text}]` : text;
    }
    default:
      return 'children' in node ? inlineText(node.children) : '';
  }
}

function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\s*---[^\S\n]*\r?\n(?=[\w"'-]+\s*:)[\s\S]{0,20000}?\r?\n(---|\.\.\.)[^\S\n]*(\r?\n|$)/, '');
}
