import { Fragment } from 'react';
import { Dialog } from '#web/ui/Dialog.tsx';
import styles from './Commands.module.css';
import { words } from './words.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const command = isMac ? '⌘' : 'Ctrl';

const keys: readonly [string, string][] = [
  ['/', words.writeQuestion],
  ['Enter', words.sendIt],
  ['Shift Enter', words.breakLine],
  ['j', words.nextSource],
  ['k', words.sourceBefore],
  ['Enter', words.openSource],
  ['Esc', words.closeOpen],
  [`${command} F`, words.findInDocument],
  [`${command} K`, words.goToAny],
  ['?', words.theseKeys],
];

/** All keys that do something. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={words.keys}>
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
