import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { type ChatAgent, restoreChatAgent } from '#web/api/chat-agent.ts';
import { formatWhole } from '#web/lib/format.ts';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Agent.module.css';
import { changedText } from './settings-words.ts';
import { words } from './words.ts';

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
      showAlert('done', words.isBack(version));
    },
    onError: (error) => {
      setAsked(null);
      showAlert('problem', messageOf(error, words.notBack));
    },
  });
  if (versions.length === 0) return null;
  return (
    <Section heading={words.versions}>
      <ol className={styles.versions} aria-label={words.versions}>
        {versions.map((version, i) => (
          <li key={version.version}>
            <div>
              <strong>
                {words.version} {version.version}
              </strong>
              {i === 0 && words.inUse}
              {' · '}
              <time dateTime={version.savedAt}>{formatWhole(version.savedAt)}</time>
              <p>
                <bdi>{version.savedBy}</bdi>:{' '}
                {version.restoredFrom === undefined
                  ? changedText(version.changed)
                  : words.backToVersion(version.restoredFrom)}
              </p>
            </div>
            {i > 0 && (
              <Button look="plain" compact onClick={() => setAsked(version)}>
                {words.backToThis}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Confirm
        opened={asked !== null}
        title={words.backTitle(asked?.version ?? '')}
        action={words.goBack}
        harmless
        pending={restoring.isPending}
        onConfirm={() => asked && restoring.mutate(asked.version)}
        onCancel={() => setAsked(null)}
      >
        {words.backText}
        {hasChanges && words.unsavedLost}
      </Confirm>
    </Section>
  );
}
