import { type ReactNode, useId } from 'react';
import type { AnswerLanguage } from '#contract/agent.ts';
import { messages } from '#contract/messages.ts';
import type { Passage, Source } from '#web/features/chat/conversation/message.ts';
import { besideAnswer, chatTexts } from '#web/features/chat/texts.ts';
import { placeLabel } from '#web/lib/place.ts';
import { tableIn } from './passage-table.ts';
import { QuotedRow } from './QuotedRow.tsx';
import { QuoteWords, spaced } from './QuoteWords.tsx';
import { SourceLink } from './SourceLink.tsx';
import styles from './Sources.module.css';
import { useSources } from './use-sources.ts';

/** What an answer's numbers refer to, set like footnotes, and folded below what was found beside it. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  const cited = sources.filter(({ supporting }) => !supporting);
  const beside = sources.filter(({ supporting }) => supporting);
  if (sources.length === 0) return null;
  return (
    <div className={styles.sources}>
      {cited.length > 0 && (
        <>
          <h3>{messages.chat.sources}</h3>
          <SourceList sources={cited} label={messages.chat.sources} />
        </>
      )}
      {beside.length > 0 && (
        <details className={styles.beside}>
          <summary>{chatTexts.alsoFoundCount(beside.length)}</summary>
          <SourceList sources={beside} label={chatTexts.alsoFound} />
        </details>
      )}
    </div>
  );
}

function SourceList({ sources, label }: { sources: readonly Source[]; label: string }) {
  const { isGone } = useSources();
  return (
    <ol aria-label={label}>
      {sources.map((source) => (
        <li key={source.n} value={source.n}>
          {isGone(source.documentId) ? (
            <span className={styles.gone}>
              {source.title || source.name} {chatTexts.deleted}
            </span>
          ) : (
            <>
              <Footnote
                name={source.name}
                title={source.title}
                url={source.url}
                page={source.page}
                text={source.row ? null : <QuoteWords source={source} />}
              />
              {source.row && (
                <div className={styles.row}>
                  <QuotedRow row={source.row} />
                </div>
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

export interface ClosestPassagesProps {
  passages: readonly Passage[];
  language: AnswerLanguage | undefined;
}

/** Where nothing answers the question: the passages that come closest to it. */
export function ClosestPassages({ passages, language }: ClosestPassagesProps) {
  const { isGone } = useSources();
  const label = useId();
  const left = passages.filter(({ documentId }) => !isGone(documentId));
  if (left.length === 0) return null;
  return (
    <div className={styles.closest}>
      <h3 id={label}>{besideAnswer(language).closest}</h3>
      <ul aria-labelledby={label}>
        {left.map(({ name, url, page, text }) => (
          <li key={`${url} ${text}`}>
            <ClosestPassage name={name} url={url} page={page} text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A table as one: its rows in one line after the other can't be read. */
function ClosestPassage({ text, ...place }: Pick<Passage, 'name' | 'url' | 'page' | 'text'>) {
  const table = tableIn(text);
  if (!table) return <Footnote {...place} text={shortened(text)} />;
  return (
    <>
      <Footnote {...place} text={table.before && shortened(table.before)} />
      <div className={styles.table}>
        <table>
          <tbody>
            {table.rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
              <tr key={row}>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells, too
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface FootnoteProps {
  name: string;
  /** Shown in place of the name. */
  title?: string;
  url: string;
  page?: number | undefined;
  text: ReactNode;
}

function Footnote({ name, title, url, page, text }: FootnoteProps) {
  const shown = title || name;
  return (
    <>
      {url === '' ? (
        <strong>{shown}</strong>
      ) : (
        <SourceLink url={url} page={page}>
          <bdi>{shown}</bdi>
        </SourceLink>
      )}
      {page !== undefined && `, ${placeLabel(name, page)}`}
      {text && (
        <>
          {' — '}
          <q>{text}</q>
        </>
      )}
    </>
  );
}

const maxLength = 180;

/** Cut at a word: a passage may be a whole section. */
function shortened(text: string): string {
  const line = spaced(text.replace(/\s+/g, ' ')).trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).replace(/\s\S*$/, '')} …`;
}
