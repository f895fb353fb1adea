import { useState } from 'react';
import { putOnClipboard } from '#web/lib/clipboard.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './Account.module.css';
import { words as ofKeys } from './key-words.ts';

/** A key, or another secret, the one time that it is shown. @param secret empty: none has been made */
export function NewKey({
  secret,
  told,
  onClose,
}: {
  secret: string;
  /** What is said of a secret that is no key. */
  told?: Pick<typeof ofKeys, 'madeTitle' | 'madeLead' | 'key'>;
  onClose: () => void;
}) {
  const words = { ...ofKeys, ...told };
  const [said, setSaid] = useState('');
  const copy = () =>
    putOnClipboard({ text: secret, html: `<code>${secret}</code>` }).then(
      () => setSaid(words.copied),
      () => setSaid(words.notCopied),
    );
  const close = () => {
    setSaid('');
    onClose();
  };
  return (
    <Dialog opened={secret !== ''} onClose={close} title={words.madeTitle} closable={false}>
      <div className={styles.setUp}>
        <p>
          {words.madeLead} <strong>{words.shownOnce}</strong>
        </p>
        <Field
          label={words.key}
          value={secret}
          readOnly
          spellCheck={false}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
        <p className={styles.said} role="status">
          {said}
        </p>
        <DialogActions flush>
          <Button look="plain" onClick={close}>
            {words.kept}
          </Button>
          <Button onClick={() => void copy()} data-autofocus>
            {words.copy}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
