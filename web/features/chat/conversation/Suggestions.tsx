import { useQuery } from '@tanstack/react-query';
import { messages } from '#contract/messages.ts';
import { suggestionsQuery } from '#web/api/answers.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { chatTexts } from '#web/features/chat/texts.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import control from '#web/ui/control.module.css';
import { FileName } from '#web/ui/FileName.tsx';
import styles from './Suggestions.module.css';

export interface SuggestionsProps {
  isAdmin: boolean;
  /** Of the assistant's settings: other settings, other questions. */
  agentVersion: number;
  onAsk: (question: string) => void;
}

/**
 * What to begin with: questions that the company's documents answer, or, where there are none yet, the way to add some.
 */
export function Suggestions({ isAdmin, agentVersion, onAsk }: SuggestionsProps) {
  const { files, status } = useCompanyFiles();
  const readable = files.filter(({ currentVersion }) => currentVersion !== undefined).length;
  const { data } = useQuery(suggestionsQuery(readable, agentVersion));
  if (status === 'ready' && files.length === 0 && isAdmin) {
    return (
      <button type="button" className={`${control.filled} ${styles.upload}`} onClick={openUploads}>
        {messages.documents.upload}
      </button>
    );
  }
  if (!data || data.questions.length === 0) return null;
  return (
    <ul className={styles.questions} aria-label={chatTexts.questionsToBegin} data-in-use>
      {data.questions.map((question, place) => {
        const document = data.documents[place];
        return (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              <span dir="auto">{question}</span>
              {document && (
                <small>
                  <FileName name={document.name} />
                </small>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
