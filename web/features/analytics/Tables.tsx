import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import type { Analytics, Asker } from '#web/api/analytics.ts';
import { formatMoment } from '#web/lib/format.ts';
import { personName } from '#web/lib/person-name.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { FileName } from '#web/ui/FileName.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import styles from './Analytics.module.css';

type TopQuestion = Analytics['topQuestions'][number];
type CitedDocument = Analytics['documents'][number];

const when = (moment: string | undefined, never = '') => (
  <span className={styles.when}>{moment === undefined ? never : formatMoment(moment)}</span>
);

/** What is asked most; the same question in other words is one. */
export function TopQuestions({ data }: { data: Analytics | undefined }) {
  return (
    <DataTable
      label="Top questions"
      columns={[
        { title: 'Question', cell: ({ text }: TopQuestion) => <bdi className={styles.question}>{text}</bdi> },
        { title: 'Times', width: '84px', cell: ({ count }: TopQuestion) => count.toLocaleString() },
        { title: 'Last asked', width: '148px', cell: ({ lastAskedAt }: TopQuestion) => when(lastAskedAt) },
      ]}
      rows={data?.topQuestions ?? []}
      rowKey={questionIdOf}
      instead={data ? 'What people ask most will be here, however they word it.' : messages.common.loading}
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
          {documentsCited.toLocaleString()} of {all.toLocaleString()} documents were cited in these days.
        </p>
      )}
      <DataTable
        label="Documents by citations"
        columns={[
          {
            title: 'Document',
            cell: ({ name }: CitedDocument) => <FileName name={name} />,
          },
          {
            title: 'Citations',
            width: '96px',
            cell: ({ citations }: CitedDocument) => (citations === 0 ? 'None' : citations.toLocaleString()),
          },
          {
            title: 'Last cited',
            width: '148px',
            cell: ({ lastCitedAt }: CitedDocument) => when(lastCitedAt, 'Never'),
          },
        ]}
        rows={data?.documents ?? []}
        rowKey={documentIdOf}
        instead={
          data ? (
            <>
              How often each document is cited will be here. <Link to="/admin/documents">Documents</Link>
            </>
          ) : (
            messages.common.loading
          )
        }
      />
    </>
  );
}

/** Who asks how much. */
export function Askers({ people, onChoose }: { people: readonly Asker[] | undefined; onChoose: (who: Asker) => void }) {
  return (
    <DataTable
      label="People who asked"
      columns={[
        { title: 'Person', cell: (person: Asker) => <bdi className={styles.question}>{askerName(person)}</bdi> },
        { title: 'Asked', width: '76px', cell: ({ asked }: Asker) => asked.toLocaleString() },
        { title: 'Not answered', width: '112px', cell: ({ unanswered }: Asker) => unanswered.toLocaleString() },
        { title: 'Rated', width: '72px', cell: ({ rated }: Asker) => rated.toLocaleString() },
        { title: 'Last asked', width: '152px', cell: ({ lastAskedAt }: Asker) => when(lastAskedAt) },
        {
          title: 'Actions',
          width: '104px',
          end: true,
          cell: (person: Asker) => (
            <RowActions>
              <RowAction label={`Only this: ${askerName(person)}`} onClick={() => onChoose(person)}>
                Only this
              </RowAction>
            </RowActions>
          ),
        },
      ]}
      rows={people ?? []}
      rowKey={userIdOf}
      instead={people ? 'Who asks, and how much, will be here.' : messages.common.loading}
    />
  );
}

export function askerName({ email, displayName }: Asker): string {
  return email === undefined ? 'Somebody who has left' : personName({ email, displayName });
}

const questionIdOf = ({ questionId }: TopQuestion) => questionId;
const documentIdOf = ({ documentId }: CitedDocument) => documentId;
const userIdOf = ({ userId }: Asker) => userId;
