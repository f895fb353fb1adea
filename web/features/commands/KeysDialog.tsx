import { Fragment } from 'react';
import { Dialog } from '#web/ui/Dialog.tsx';
import styles from './Commands.module.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const command = isMac ? '⌘' : 'Ctrl';

const keys: readonly [string, string][] = [
  ['/', 'Write a question'],
  ['Enter', 'Send it'],
  ['Shift Enter', 'Break the line'],
  ['j', 'Next source'],
  ['k', 'Source before'],
  ['Enter', 'Open the source that is chosen'],
  ['Esc', 'Close what is open'],
  [`${command} F`, 'Find in the document that is open'],
  [`${command} K`, 'Go to a document, question, page or action'],
  ['?', 'These keys'],
];

/** All keys that do something. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Keys">
      <dl className={styles.keys}>
        {keys.map(([key, what]) => (
          <Fragment key={what}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
