import { saveText } from '#web/lib/save-as.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { useCopy } from '#web/ui/use-copy.ts';
import styles from './Account.module.css';
import { words } from './words.ts';

/** Recovery codes, the one time that they are shown: to copy, or to download. */
export function RecoveryCodes(props: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog opened={props.codes.length > 0} onClose={props.onClose} title={words.recoveryTitle} closable={false}>
      <Codes {...props} />
    </Dialog>
  );
}

const said = { idle: '', copied: words.copied, failed: words.notCopied };

/** There only while they are shown: nothing is said of those that come after. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { state, copy } = useCopy();
  const text = codes.join('\n');
  return (
    <>
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
        {said[state]}
      </p>
      <DialogActions flush>
        <Button look="plain" onClick={() => void copy({ text, html: `<pre>${text}</pre>` })}>
          {words.copy}
        </Button>
        <Button look="plain" onClick={() => saveText('recovery-codes.txt', `${text}\n`, 'text/plain')}>
          {words.download}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {words.kept}
        </Button>
      </DialogActions>
    </>
  );
}
