import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { maxWebhookUrl, type WebhookEvent, webhookEvents } from '#contract/webhooks.ts';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { createWebhook, updateWebhook, type Webhook } from '#web/api/webhooks.ts';
import styles from '#web/features/account/Account.module.css';
import { WhichCollections } from '#web/features/account/WhichCollections.tsx';
import { Button } from '#web/ui/Button.tsx';
import { ChooseSome } from '#web/ui/Choices.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { words } from './words.ts';

interface FormProps {
  /** The one that is changed; absent: a new one is made. */
  webhook?: Webhook;
  onClose: () => void;
  /** Given the secret of a new one; of one that is changed it is empty. */
  onMade: (secret: string) => void;
}

/** Asks where a webhook leads, and of what it is told. */
export function WebhookDialog({ opened, ...form }: FormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={form.webhook ? words.editTitle : words.create}>
      <WebhookForm {...form} />
    </Dialog>
  );
}

/** Begins anew with each opening, since a dialog that is closed has no content. */
function WebhookForm({ webhook, onClose, onMade }: FormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? webhookEvents);
  const [chosen, setChosen] = useState<readonly string[] | null>(webhook?.collectionIds ?? null);
  const [wasSent, setWasSent] = useState(false);
  const making = useMutation({ ...createWebhook, onSuccess: ({ secret }) => onMade(secret) });
  const saving = useMutation({ ...updateWebhook, onSuccess: () => onMade('') });
  const { isPending, error } = webhook ? saving : making;
  // Whoever does not give their password after all has not failed at anything.
  const failed = error && !isCancelled(error);
  const isMissing = url.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasSent(true);
    if (isPending || isMissing || events.length === 0) return;
    const input = { url, events: [...events] };
    if (webhook)
      saving.mutate({ ...input, webhookId: webhook.webhookId, collectionIds: chosen === null ? null : [...chosen] });
    else making.mutate({ ...input, ...(chosen && { collectionIds: [...chosen] }) });
  };
  return (
    <form className={styles.setUp} noValidate onSubmit={submit}>
      <Field
        label={words.address}
        hint={words.addressHint}
        type="url"
        value={url}
        maxLength={maxWebhookUrl}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={wasSent && isMissing ? words.addressMissing : undefined}
        onChange={({ target }) => setUrl(target.value)}
        data-autofocus
      />
      <ChooseSome
        legend={words.events}
        choices={webhookEvents.map((value) => ({ value, label: words.eventsMean[value], hint: value }))}
        values={events}
        onChange={setEvents}
      />
      {wasSent && events.length === 0 && <Notice kind="problem">{words.eventsMissing}</Notice>}
      <WhichCollections words={words} chosen={chosen} onChange={setChosen} />
      {failed && <Notice kind="problem">{messageOf(error, words.failed)}</Notice>}
      <DialogActions flush>
        <Button look="plain" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" pending={isPending}>
          {webhook ? words.save : words.create}
        </Button>
      </DialogActions>
    </form>
  );
}
