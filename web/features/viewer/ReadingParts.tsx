import { Fragment, type Ref } from 'react';
import styles from './Reading.module.css';
import {
  type Block,
  cellPieces,
  cellsOf,
  hasLabels,
  hasOwnMark,
  type Part,
  type Piece,
  piecesOf,
  type Range,
  touches,
} from './reading-view.ts';

interface Marking {
  range: Range | null;
  /** Gets the mark in which the quote starts. */
  arrive: Ref<HTMLElement>;
}

/** Parts of a document's text with the cited words marked. */
export function ReadingParts({ parts, ...marking }: { parts: readonly Part[] } & Marking) {
  return parts.map((part) => (
    <Fragment key={part.first}>
      {part.title !== undefined && (
        <h3 className={styles.title} data-block={part.first}>
          {part.title}
        </h3>
      )}
      <Body part={part} {...marking} />
    </Fragment>
  ));
}

function Body({ part, ...marking }: { part: Part } & Marking) {
  switch (part.kind) {
    case 'heading':
      return <Heading block={part.block} {...marking} />;
    case 'paragraph':
      return (
        <p data-at={part.block.index}>
          <Text block={part.block} {...marking} />
        </p>
      );
    case 'code':
      return (
        <pre className={styles.code} data-at={part.block.index}>
          <Text block={part.block} {...marking} />
        </pre>
      );
    case 'list':
      return (
        <ul>
          {part.blocks.map((block) => (
            <li key={block.index} data-at={block.index} data-marked={hasOwnMark(block) || undefined}>
              <Text block={block} {...marking} />
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <Table part={part} {...marking} />;
  }
}

function Heading({ block, ...marking }: { block: Block } & Marking) {
  const level = block.level ?? 2;
  // Below the name of the document, which is the heading of the whole.
  const Tag = level <= 1 ? 'h3' : level === 2 ? 'h4' : level === 3 ? 'h5' : 'h6';
  return (
    <Tag className={styles.heading} data-level={level} data-at={block.index}>
      <Text block={block} {...marking} />
    </Tag>
  );
}

function Table({ part, ...marking }: { part: Extract<Part, { kind: 'table' }> } & Marking) {
  return (
    <table
      className={styles.table}
      data-labels={hasLabels(part) || undefined}
      style={{ minWidth: `${part.columns * 6.5}rem` }}
    >
      {part.header && (
        <thead>
          <Row block={part.header} columns={part.columns} {...marking} />
        </thead>
      )}
      <tbody>
        {part.blocks.map((block) => (
          <Row key={block.index} block={block} columns={part.columns} {...marking} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ block, columns, range, arrive }: { block: Block; columns: number } & Marking) {
  const cells = cellPieces(block, range);
  const firstMarked = cells.findIndex((pieces) => pieces.some(({ marked }) => marked));
  const Cell = block.header ? 'th' : 'td';
  return (
    <tr data-at={block.index} data-lit={touches(block, range) || undefined}>
      {Array.from({ length: columns }, (_, column) => (
        <Cell
          // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
          key={column}
          scope={block.header ? 'col' : undefined}
          data-number={isNumber(cellsOf(block)[column]) || undefined}
        >
          <Pieces pieces={cells[column] ?? []} arrive={column === firstMarked ? arrive : null} />
        </Cell>
      ))}
    </tr>
  );
}

function isNumber(cell = ''): boolean {
  return /^[-+−(]?[€$£¥]?\s?\d[\d\s.,'’]*\s?[%€$£¥)]?$/.test(cell);
}

function Text({ block, range, arrive }: { block: Block } & Marking) {
  return <Pieces pieces={piecesOf(block, range)} arrive={arrive} />;
}

function Pieces({ pieces, arrive }: { pieces: readonly Piece[]; arrive: Ref<HTMLElement> }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: at most three, always in this order
  return pieces.map((piece, place) => <Words key={place} {...piece} arrive={arrive} />);
}

function Words({ text, marked, arrive }: Piece & { arrive: Ref<HTMLElement> }) {
  return marked ? <mark ref={arrive}>{text}</mark> : text;
}
