import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import type { Analytics, Asker } from '#web/api/analytics.ts';
import { formatMoment } from '#web/lib/format.ts';
import { personName } from '#web/lib/person-name.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import styles from './Analytics.module.css';
import { words } from './words.ts';

type TopQuestion = Analytics['topQuestions'][number];
type CitedDocument = Analytics['documents'][number];

const when = (moment: string | undefined, never = '') => (
  <span className={styles.when}>{moment === undefined ? never : formatMoment(moment)}</span>
);

/** What is asked most; the same question in other words is one. */
export function TopQuestions({ data }: { data: Analytics | undefined }) {
  return (
    <DataTable
      label={words.topQuestions}
      columns={[
        { title: words.question, cell: ({ text }: TopQuestion) => <bdi className={styles.question}>{text}</bdi> },
        { title: words.times, width: '84px', cell: ({ count }: TopQuestion) => count.toLocaleString() },
        { title: words.lastAsked, width: '148px', cell: ({ lastAskedAt }: TopQuestion) => when(lastAskedAt) },
      ]}
      rows={data?.topQuestions ?? []}
      rowKey={questionIdOf}
      loading={data ? undefined : messages.common.loading}
      instead={words.topEmpty}
    />
  );
}

/** Which documents answers cite, and which they don't. */
export function CitedDocuments({ data }: { data: Analytics | undefined }) {
  const { documentsCited = 0, documentsNotCited = 0 } = data ?? {};
  const all = documentsCited + documentsNotCited;
  return (
    <>
      {all > 0 && (
        <p className={styles.aside}>
          {documentsCited.toLocaleString()} {words.of} {all.toLocaleString()} {words.wereCited}
        </p>
      )}
      <DataTable
        label={words.byCitations}
        columns={[
          {
            title: words.document,
            cell: ({ name }: CitedDocument) => <FileName name={name} />,
          },
          {
            title: words.citations,
            width: '96px',
            cell: ({ citations }: CitedDocument) => (citations === 0 ? words.none : citations.toLocaleString()),
          },
          {
            title: words.lastCited,
            width: '148px',
            cell: ({ lastCitedAt }: CitedDocument) => when(lastCitedAt, words.never),
          },
        ]}
        rows={data?.documents ?? []}
        rowKey={documentIdOf}
        loading={data ? undefined : messages.common.loading}
        instead={
          <>
            {words.citedEmpty} <Link to="/admin/documents">{words.documents}</Link>
          </>
        }
      />
    </>
  );
}

type KeyUse = NonNullable<Analytics['keys']>[number];

/** What programs ask and search, by key. */
export function KeysUsed({ keys }: { keys: readonly KeyUse[] }) {
  return (
    <DataTable
      label={words.byKey}
      columns={[
        {
          title: words.key,
          cell: ({ name, person }: KeyUse) => (
            <bdi className={styles.question}>
              {name}
              {person !== undefined && ` (${person})`}
            </bdi>
          ),
        },
        { title: words.asked, width: '76px', cell: ({ asked }: KeyUse) => asked.toLocaleString() },
        { title: words.searched, width: '96px', cell: ({ searched }: KeyUse) => searched.toLocaleString() },
      ]}
      rows={keys}
      rowKey={keyIdOf}
      instead={null}
    />
  );
}

function keyIdOf({ keyId }: KeyUse): string {
  return keyId;
}

/** Who asks how much. */
export function Askers({ people, onChoose }: { people: readonly Asker[] | undefined; onChoose: (who: Asker) => void }) {
  return (
    <DataTable
      label={words.peopleWhoAsked}
      columns={[
        { title: words.person, cell: (person: Asker) => <bdi className={styles.question}>{askerName(person)}</bdi> },
        { title: words.asked, width: '76px', cell: ({ asked }: Asker) => asked.toLocaleString() },
        { title: words.notAnswered, width: '112px', cell: ({ unanswered }: Asker) => unanswered.toLocaleString() },
        { title: words.rated, width: '72px', cell: ({ rated }: Asker) => rated.toLocaleString() },
        { title: words.lastAsked, width: '152px', cell: ({ lastAskedAt }: Asker) => when(lastAskedAt) },
        {
          title: words.actions,
          width: '104px',
          end: true,
          cell: (person: Asker) => (
            <RowActions>
              <RowAction label={words.onlyThisOf(askerName(person))} onClick={() => onChoose(person)}>
                {words.onlyThis}
              </RowAction>
            </RowActions>
          ),
        },
      ]}
      rows={people ?? []}
      rowKey={userIdOf}
      loading={people ? undefined : messages.common.loading}
      instead={words.peopleEmpty}
    />
  );
}

export function askerName({ email, displayName }: Asker): string {
  return email === undefined ? words.somebodyLeft : personName({ email, displayName });
}

const questionIdOf = ({ questionId }: TopQuestion) => questionId;
const documentIdOf = ({ documentId }: CitedDocument) => documentId;
const userIdOf = ({ userId }: Asker) => userId;
