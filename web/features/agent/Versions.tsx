import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type ChatAgent, restoreChatAgent } from '#web/api/chat-agent.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Agent.module.css';
import { changedText } from './settings-words.ts';

type Version = ChatAgent['versions'][number];

/** What was saved, by whom and when, and the way back to it. */
export function Versions({
  versions,
  hasChanges,
  onRestored,
}: {
  versions: readonly Version[];
  hasChanges: boolean;
  onRestored: () => void;
}) {
  const [asked, setAsked] = useState<Version | null>(null);
  const restoring = useMutation({
    ...restoreChatAgent,
    onSuccess: (_, version) => {
      setAsked(null);
      onRestored();
      showAlert('done', `Version ${version} is back.`);
    },
    onError: (error) => {
      setAsked(null);
      showAlert('problem', messageOf(error, 'The version could not be brought back.'));
    },
  });
  if (versions.length === 0) return null;
  return (
    <Section heading="Versions">
      <ol className={styles.versions} aria-label="Versions">
        {versions.map((version, i) => (
          <li key={version.version}>
            <div>
              <strong>Version {version.version}</strong>
              {i === 0 && ', in use'}
              {' · '}
              <time dateTime={version.savedAt}>{whenText(version.savedAt)}</time>
              <p>
                <bdi>{version.savedBy}</bdi>:{' '}
                {version.restoredFrom === undefined
                  ? changedText(version.changed)
                  : `back to version ${version.restoredFrom}`}
              </p>
            </div>
            {i > 0 && (
              <Button look="plain" compact onClick={() => setAsked(version)}>
                Back to this
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Confirm
        opened={asked !== null}
        title={`Back to version ${asked?.version ?? ''}?`}
        action="Go back"
        harmless
        pending={restoring.isPending}
        onConfirm={() => asked && restoring.mutate(asked.version)}
        onCancel={() => setAsked(null)}
      >
        The assistant answers by it from the next question on. The version in use now stays in the list.
        {hasChanges && ' What you have changed in the form, and not saved, is lost.'}
      </Confirm>
    </Section>
  );
}

function whenText(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
