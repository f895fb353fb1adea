import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type Analytics, setQuestionSolved, type UnansweredQuestion } from '#web/api/analytics.ts';
import { messageOf } from '#web/api/call.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { formatMoment } from '#web/lib/format.ts';
import { showAlert, showUndo } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { DataTable } from '#web/ui/DataTable.tsx';
import { RowAction, RowActions } from '#web/ui/RowActions.tsx';
import styles from './Analytics.module.css';
import { AskAgain } from './AskAgain.tsx';

/** What was not answered, as a list to work through: see whether it is now, upload what is missing, or tick it off. */
export function UnansweredQuestions({ data }: { data: Analytics | undefined }) {
  const [asked, setAsked] = useState<UnansweredQuestion | null>(null);
  const [opened, setOpened] = useState(false);
  const { mutate, isPending, variables } = useMutation({
    ...setQuestionSolved,
    onSuccess: (_, { questionId, solved }) => {
      if (solved) showUndo('Marked as solved.', () => mutate({ questionId, solved: false }));
    },
    onError: (error) => showAlert('problem', messageOf(error, 'That could not be saved. Please try again.')),
  });
  const solve = ({ questionId }: UnansweredQuestion) => mutate({ questionId, solved: true });
  const columns = [
    {
      title: 'Question',
      cell: ({ text, answeredSince }: UnansweredQuestion) => (
        <>
          <bdi className={styles.question}>{text}</bdi>
          {answeredSince && <div className={styles.since}>Asked again since, and answered</div>}
        </>
      ),
    },
    { title: 'Times', width: '64px', cell: ({ count }: UnansweredQuestion) => count.toLocaleString() },
    { title: 'People', width: '68px', cell: ({ people }: UnansweredQuestion) => people.toLocaleString() },
    {
      title: 'Last asked',
      width: '152px',
      cell: ({ lastAskedAt }: UnansweredQuestion) => <span className={styles.when}>{formatMoment(lastAskedAt)}</span>,
    },
    {
      title: 'Actions',
      width: '208px',
      end: true,
      cell: (question: UnansweredQuestion) => (
        <RowActions>
          <RowAction
            label={`Ask again: ${question.text}`}
            onClick={() => {
              setAsked(question);
              setOpened(true);
            }}
          >
            Ask again
          </RowAction>
          <RowAction
            label={`Mark as solved: ${question.text}`}
            pending={isPending && variables.questionId === question.questionId}
            onClick={() => solve(question)}
          >
            Mark as solved
          </RowAction>
        </RowActions>
      ),
    },
  ];
  const rows = data?.unansweredQuestions ?? [];
  return (
    <>
      {rows.length > 0 && (
        <div className={styles.aside}>
          <p>A document is missing, or says it in other words. Upload it, then ask again.</p>
          <Button compact look="plain" onClick={openUploads}>
            Upload what is missing
          </Button>
        </div>
      )}
      <DataTable
        label="Unanswered questions"
        columns={columns}
        rows={rows}
        rowKey={questionIdOf}
        instead={instead(data)}
      />
      {asked && (
        <AskAgain
          key={asked.questionId}
          question={asked}
          opened={opened}
          onClose={() => setOpened(false)}
          onSolved={() => {
            setOpened(false);
            solve(asked);
          }}
        />
      )}
    </>
  );
}

function instead(data: Analytics | undefined): string {
  if (!data) return messages.common.loading;
  if (data.asked === 0) return 'Questions that your documents do not answer will be here, most asked first.';
  if (data.unanswered === 0) return 'Every question of these days was answered.';
  return 'Nothing is left to do: what was not answered is marked as solved.';
}

const questionIdOf = ({ questionId }: UnansweredQuestion) => questionId;
