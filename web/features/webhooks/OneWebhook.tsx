import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { deleteWebhook, rotateWebhookSecret, sendTestEvent, updateWebhook, type Webhook } from '#web/api/webhooks.ts';
import styles from '#web/features/account/Account.module.css';
import { showAlert } from '#web/ui/alerts.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Section } from '#web/ui/Section.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookLog } from './WebhookLog.tsx';
import { WebhookWords } from './WebhookWords.tsx';
import { words } from './words.ts';

interface OneWebhookProps {
  webhook: Webhook;
  isUnlocked: boolean;
  /** Called with a secret that is to be shown once. */
  onSecret: (secret: string) => void;
  onClose: () => void;
}

/** One webhook: what can be done with it, and what was sent. */
export function OneWebhook({ webhook, isUnlocked, onSecret, onClose }: OneWebhookProps) {
  const [asked, setAsked] = useState<'edit' | 'off' | 'rotate' | 'remove' | null>(null);
  const close = () => setAsked(null);
  const { webhookId, off, url } = webhook;
  const host = new URL(url).host;
  const switching = useMutation({
    ...updateWebhook,
    onSuccess: (_, { on }) => showAlert('done', on ? words.switchedOn : words.switchedOff),
    onError: (problem) => tell(problem, words.notSwitched),
    onSettled: close,
  });
  const rotating = useMutation({
    ...rotateWebhookSecret,
    onSuccess: ({ secret }) => onSecret(secret),
    onError: (problem) => tell(problem, words.notRotated),
    onSettled: close,
  });
  const removing = useMutation({
    ...deleteWebhook,
    onSuccess: () => {
      showAlert('done', words.removed);
      onClose();
    },
    onError: (problem) => tell(problem, words.notRemoved),
    onSettled: close,
  });
  const testing = useMutation({ ...sendTestEvent, onError: (problem) => tell(problem, words.notTested) });
  return (
    <Section
      heading={host}
      tool={
        <Button look="plain" onClick={onClose}>
          {words.back}
        </Button>
      }
    >
      <WebhookWords hook={webhook} />
      <div className={styles.actions}>
        {isUnlocked && (
          <>
            <Button look="plain" pending={testing.isPending} onClick={() => testing.mutate(webhookId)}>
              {words.test}
            </Button>
            <Button look="plain" onClick={() => setAsked('edit')}>
              {words.edit}
            </Button>
            <Button look="plain" onClick={() => setAsked('rotate')}>
              {words.rotate}
            </Button>
            {off ? (
              <Button
                look="plain"
                pending={switching.isPending}
                onClick={() => switching.mutate({ webhookId, on: true })}
              >
                {words.switchOn}
              </Button>
            ) : (
              <Button look="plain" onClick={() => setAsked('off')}>
                {words.switchOff}
              </Button>
            )}
          </>
        )}
        <Button look="danger-quiet" onClick={() => setAsked('remove')}>
          {words.remove}
        </Button>
      </div>
      {/* Anew after a test, which stands on its first page. */}
      <WebhookLog key={testing.data?.deliveryId} webhookId={webhookId} mayResend={isUnlocked} />
      <WebhookDialog
        opened={asked === 'edit'}
        webhook={webhook}
        onClose={close}
        onMade={() => {
          close();
          showAlert('done', words.saved);
        }}
      />
      <Confirm
        opened={asked === 'rotate'}
        title={words.rotateTitle}
        action={words.rotate}
        harmless
        pending={rotating.isPending}
        onConfirm={() => rotating.mutate(webhookId)}
        onCancel={close}
      >
        <p>{words.rotateText}</p>
      </Confirm>
      <Confirm
        opened={asked === 'off'}
        title={words.switchOffTitle}
        action={words.switchOff}
        pending={switching.isPending}
        onConfirm={() => switching.mutate({ webhookId, on: false })}
        onCancel={close}
      >
        <p>
          <strong>{host}</strong> {words.switchOffText}
        </p>
      </Confirm>
      <Confirm
        opened={asked === 'remove'}
        title={words.removeTitle}
        action={words.remove}
        pending={removing.isPending}
        onConfirm={() => removing.mutate(webhook)}
        onCancel={close}
      >
        <p>
          <strong>{host}</strong> {words.removeText}
        </p>
      </Confirm>
    </Section>
  );
}

/** Whoever does not give their password after all has not failed at anything. */
function tell(problem: Error, otherwise: string): void {
  if (isCancelled(problem)) return;
  showAlert('problem', messageOf(problem, otherwise));
}
