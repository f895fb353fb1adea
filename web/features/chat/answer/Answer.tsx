import type { Nodes, RootContent, Table as TableNode, Text } from 'mdast';
import { Fragment, memo, type ReactNode } from 'react';
import type { Source } from '#web/features/chat/conversation/message.ts';
import { emphasisIn } from '#web/features/chat/sources/emphasis.ts';
import { QuotedRow } from '#web/features/chat/sources/QuotedRow.tsx';
import { chatTexts } from '#web/features/chat/texts.ts';
import styles from './Answer.module.css';
import {
  type AnswerText,
  type Claim,
  type Inline,
  type ReadAnswerOptions,
  readAnswer,
  type Standing,
  settledIn,
} from './answer-text.ts';
import { Chip } from './Chip.tsx';
import { picturesOf } from './pictures.ts';
import { Quotation } from './Quotation.tsx';

export interface AnswerProps {
  text: string;
  sources: readonly Source[];
  /** Claims that no passage supports. */
  unsupported?: ReadAnswerOptions['unsupported'];
  /** Claims on which words could not decide. */
  unchecked?: readonly Claim[] | undefined;
  /** What is being written behind the text, and not checked yet. */
  draft?: string;
  /** A model writes it: the sentence at its end is not checked as long as it is open. */
  isWritten?: boolean;
  /** `growing`: more of it is on its way. `cut`: it ended before all its sources had come. */
  state?: 'growing' | 'cut' | 'whole';
}

/** An answer's text, its markers as small links to their sources. */
export const Answer = memo(function Answer({
  text,
  sources,
  unsupported = none,
  unchecked = none,
  draft = '',
  isWritten = false,
  state = 'whole',
}: AnswerProps) {
  const answer = readAnswer(text + gap(text, draft) + draft, {
    growing: state !== 'whole',
    unsupported,
    unchecked,
    checkedTo: isWritten ? settledIn(text, [...unsupported, ...unchecked]) : text.length,
  });
  const rest = { answer, sources, state };
  const quotations = answer.tree.children.filter(({ type }) => type === 'blockquote');
  const pictures = picturesOf(quotations.flatMap((node) => sourceIn(node, rest) ?? []));
  return (
    <div className={styles.answer}>
      {answer.tree.children.map((node) => (
        <Node key={keyOf(node)} node={node} pictures={pictures} {...rest} />
      ))}
    </div>
  );
});

const none: readonly Claim[] = [];

/** The blank between what is checked and what is not: it goes with neither. */
function gap(text: string, draft: string): string {
  return text === '' || draft === '' || /\s$/.test(text) || /^[\s.,;:!?)\]]/.test(draft) ? '' : ' ';
}

interface NodeProps {
  node: Nodes;
  answer: AnswerText;
  sources: readonly Source[];
  state: 'growing' | 'cut' | 'whole';
  pictures: ReturnType<typeof picturesOf>;
  /** Whose words these are. */
  quoted?: Source | undefined;
}

function Node({ node, ...rest }: NodeProps): ReactNode {
  switch (node.type) {
    case 'text':
      return inlinesOf(node, rest).map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer only grows at its end
        <Fragment key={place}>{inline(piece, rest)}</Fragment>
      ));
    case 'inlineCode':
      return <code>{rest.answer.plain(node.value)}</code>;
    case 'code':
      return <pre>{rest.answer.plain(node.value)}</pre>;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{inner(node, rest)}</ol> : <ul>{inner(node, rest)}</ul>;
    case 'table':
      return <Table node={node} {...rest} />;
    case 'heading':
      return <h3>{inner(node, rest)}</h3>;
    case 'blockquote': {
      const quoted = sourceIn(node, rest);
      const from = { source: quoted, places: quoted && rest.pictures.get(quoted.n) };
      if (!quoted?.row) return <Quotation {...from}>{inner(node, { ...rest, quoted })}</Quotation>;
      const marker = <Marker numbers={[quoted.n]} raw="" isChecking={false} {...rest} />;
      return (
        <Quotation {...from}>
          <QuotedRow row={quoted.row} marker={marker} />
        </Quotation>
      );
    }
    default: {
      if (!('children' in node)) return null;
      const Tag = tags[node.type];
      return Tag ? <Tag>{inner(node, rest)}</Tag> : inner(node, rest);
    }
  }
}

/** Wider than its place it scrolls in its own box. */
function Table({ node: { children }, ...rest }: Omit<NodeProps, 'node'> & { node: TableNode }) {
  const [head, ...rows] = children;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={styles.table} tabIndex={0} aria-label={chatTexts.table}>
      <table style={{ minWidth: `${(head?.children.length ?? 1) * 8}rem` }}>
        <thead>
          <tr>
            {head?.children.map((cell) => (
              <th key={keyOf(cell)} scope="col">
                {inner(cell, rest)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {head?.children.map((column, place) => (
                <td key={keyOf(column)}>{row.children[place] && inner(row.children[place], rest)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The source of a quote: the first that is named in it. */
function sourceIn(node: Nodes, rest: Pick<NodeProps, 'answer' | 'sources'>): Source | undefined {
  if (node.type === 'text') {
    const marker = rest.answer.inlines(node).find(({ kind }) => kind === 'marker');
    return marker?.kind === 'marker' ? rest.sources.find(({ n }) => n === marker.numbers[0]) : undefined;
  }
  if (!('children' in node)) return undefined;
  for (const child of node.children) {
    const found = sourceIn(child, rest);
    if (found) return found;
  }
  return undefined;
}

type Shown = Inline | { kind: 'emphasised'; text: string };

/** The pieces of a text, in a quote cut at the short answer. */
function inlinesOf(node: Text, { answer, quoted }: Omit<NodeProps, 'node'>): readonly Shown[] {
  const pieces = answer.inlines(node);
  if (!quoted?.emphasis) return pieces;
  return pieces.flatMap((piece): Shown[] => {
    if (piece.kind !== 'text') return [piece];
    const parts = emphasisIn(piece.text, quoted);
    if (!parts) return [piece];
    const [before, text, after] = parts;
    return [
      { ...piece, text: before },
      { kind: 'emphasised', text },
      { ...piece, text: after },
    ];
  });
}

function inline(piece: Shown, rest: Omit<NodeProps, 'node'>): ReactNode {
  switch (piece.kind) {
    case 'text':
      return <span className={tones[piece.standing]}>{piece.text}</span>;
    case 'emphasised':
      return <strong>{piece.text}</strong>;
    case 'marker':
      return <Marker {...piece} {...rest} />;
    case 'claim-end':
      return (
        <>
          {' '}
          <span className={piece.standing === 'unchecked' ? styles.quiet : styles.unproven}>
            {chatTexts.behindClaim[piece.standing]}
          </span>
        </>
      );
  }
}

const tones: Record<Standing, string | undefined> = {
  plain: undefined,
  contradicted: styles.unsupported,
  'not-found': styles.unsupported,
  unchecked: styles.unchecked,
  checking: styles.checking,
};

const tags: Partial<Record<Nodes['type'], 'p' | 'strong' | 'em' | 'li'>> = {
  paragraph: 'p',
  strong: 'strong',
  emphasis: 'em',
  listItem: 'li',
};

function inner({ children }: { children: readonly RootContent[] }, rest: Omit<NodeProps, 'node'>): ReactNode {
  return children.map((node) => <Node key={keyOf(node)} node={node} {...rest} />);
}

/** Where it starts: what was drawn of a growing answer keeps its place, and so stays as it is. */
function keyOf(node: Nodes): string {
  return `${node.type} ${node.position?.start.offset}`;
}

type MarkerProps = Pick<NodeProps, 'sources' | 'state'> & {
  numbers: readonly number[];
  raw: string;
  isChecking: boolean;
};

function Marker({ numbers, raw, sources, state, isChecking }: MarkerProps) {
  // As wide as the link that it becomes, so that nothing moves; its number is the model's own, which says nothing yet.
  if (isChecking)
    return (
      <sup className={styles.marker} aria-hidden>
        {numbers.map((n) => (
          <span key={n} className={styles.pending}>
            {n}
          </span>
        ))}
      </sup>
    );
  const cited = numbers.map((n) => ({ n, source: sources.find((source) => source.n === n) }));
  // Until its source is there a number is shown without being a link; one that has none is no marker.
  if (state !== 'growing' && cited.every(({ source }) => !source)) return state === 'whole' && raw;
  return (
    <sup className={styles.marker}>
      {cited.map(({ n, source }) =>
        source ? <Chip key={n} source={source} /> : state === 'growing' && <span key={n}>{n}</span>,
      )}
    </sup>
  );
}
