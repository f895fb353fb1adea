import type { PhrasingContent, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A stretch of text in one style. `note` is the label of a footnote that is referred to here. */
export interface Run {
  text: string;
  bold: boolean;
  italic: boolean;
  note?: string;
}

export function parseMarkdown(source: string): Root {
  return fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** The words of a paragraph, heading or cell; a line end in the source is a space. */
export function runsOf(nodes: readonly PhrasingContent[], style = { bold: false, italic: false }): Run[] {
  return nodes.flatMap((node): Run[] => {
    switch (node.type) {
      case 'text':
      case 'inlineCode':
        return [{ ...style, text: node.value.replaceAll('\n', ' ') }];
      case 'strong':
        return runsOf(node.children, { ...style, bold: true });
      case 'emphasis':
        return runsOf(node.children, { ...style, italic: true });
      // An e-mail address in the text.
      case 'link':
        return runsOf(node.children, style);
      case 'footnoteReference':
        return [{ ...style, text: '', note: node.identifier }];
      default:
        throw new Error(`samples do not use "${node.type}"`);
    }
  });
}
