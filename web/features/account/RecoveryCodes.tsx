import { useState } from 'react';
import { putOnClipboard } from '#web/lib/clipboard.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import styles from './Account.module.css';

/** Recovery codes, the one time that they are shown: to copy, or to download. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const text = codes.join('\n');
  const copy = () =>
    putOnClipboard({ text, html: `<pre>${text}</pre>` }).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not let this page copy. Please download them.'),
    );
  return (
    <Dialog opened={codes.length > 0} onClose={onClose} title="Your recovery codes" closable={false}>
      <p>
        Each of these gets you in once, should you lose your phone or passkey. Keep them where you find them without it:{' '}
        <strong>they are not shown again.</strong>
      </p>
      <ol className={styles.codes} aria-label="Recovery codes">
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
          Copy
        </Button>
        <Button look="plain" onClick={() => download(text)}>
          Download
        </Button>
        <Button onClick={onClose} data-autofocus>
          I have kept them
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(link.href);
}
