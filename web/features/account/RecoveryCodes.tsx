import { useState } from 'react';
import { putOnClipboard } from '#web/lib/clipboard.ts';
import { saveText } from '#web/lib/save-as.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import styles from './Account.module.css';
import { words } from './words.ts';

/** Recovery codes, the one time that they are shown: to copy, or to download. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const text = codes.join('\n');
  const copy = () =>
    putOnClipboard({ text, html: `<pre>${text}</pre>` }).then(
      () => setSaid(words.copied),
      () => setSaid(words.notCopied),
    );
  return (
    <Dialog opened={codes.length > 0} onClose={onClose} title={words.recoveryTitle} closable={false}>
      <p>
        {words.recoveryLead} <strong>{words.shownOnce}</strong>
      </p>
      <ol className={styles.codes} aria-label={words.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p className={styles.said} role="status">
        {said}
      </p>
      <DialogActions flush>
        <Button look="plain" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <Button look="plain" onClick={() => saveText('recovery-codes.txt', `${text}\n`, 'text/plain')}>
          {words.download}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {words.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
