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
import { words } from './words.ts';

/** What was not answered, as a list to work through: see whether it is now, upload what is missing, or tick it off. */
export function UnansweredQuestions({ data }: { data: Analytics | undefined }) {
  const [asked, setAsked] = useState<UnansweredQuestion | null>(null);
  const [opened, setOpened] = useState(false);
  const { mutate, isPending, variables } = useMutation({
    ...setQuestionSolved,
    onSuccess: (_, { questionId, solved }) => {
      if (solved) showUndo(words.solved, () => mutate({ questionId, solved: false }));
    },
    onError: (error) => showAlert('problem', messageOf(error, words.notSaved)),
  });
  const solve = ({ questionId }: UnansweredQuestion) => mutate({ questionId, solved: true });
  const columns = [
    {
      title: words.question,
      cell: ({ text, answeredSince }: UnansweredQuestion) => (
        <>
          <bdi className={styles.question}>{text}</bdi>
          {answeredSince && <div className={styles.since}>{words.askedSince}</div>}
        </>
      ),
    },
    { title: words.times, width: '64px', cell: ({ count }: UnansweredQuestion) => count.toLocaleString() },
    { title: words.people, width: '68px', cell: ({ people }: UnansweredQuestion) => people.toLocaleString() },
    {
      title: words.lastAsked,
      width: '152px',
      cell: ({ lastAskedAt }: UnansweredQuestion) => <span className={styles.when}>{formatMoment(lastAskedAt)}</span>,
    },
    {
      title: words.actions,
      width: '208px',
      end: true,
      cell: (question: UnansweredQuestion) => (
        <RowActions>
          <RowAction
            label={words.askAgainOf(question.text)}
            onClick={() => {
              setAsked(question);
              setOpened(true);
            }}
          >
            {words.askAgain}
          </RowAction>
          <RowAction
            label={words.markSolvedOf(question.text)}
            pending={isPending && variables.questionId === question.questionId}
            onClick={() => solve(question)}
          >
            {words.markSolved}
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
          <p>{words.documentMissing}</p>
          <Button compact look="plain" onClick={openUploads}>
            {words.uploadMissing}
          </Button>
        </div>
      )}
      <DataTable
        label={words.unansweredQuestions}
        columns={columns}
        rows={rows}
        rowKey={questionIdOf}
        loading={data ? undefined : messages.common.loading}
        instead={data && instead(data)}
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

function instead(data: Analytics): string {
  if (data.asked === 0) return words.unansweredEmpty;
  if (data.unanswered === 0) return words.allAnswered;
  return words.nothingLeft;
}

const questionIdOf = ({ questionId }: UnansweredQuestion) => questionId;
