import '@mantine/core/styles/LoadingOverlay.layer.css';
import '@mantine/dropzone/styles.layer.css';
import { Dropzone } from '@mantine/dropzone';
import { useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import type { Choice } from '#web/api/unfinished-uploads.ts';
import { InactiveNotice } from '#web/features/billing/SubscriptionNotices.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import { CollectionChoice } from './CollectionChoice.tsx';
import { worthSending } from './dropped-files.ts';
import { TakenNames } from './TakenNames.tsx';
import { UploadList } from './UploadList.tsx';
import styles from './Uploads.module.css';
import { collected, sendable, type UploadItem, undecided } from './upload-item.ts';
import {
  addFiles,
  cancelUploads,
  choose,
  chooseCollection,
  closeUploads,
  startUploads,
  useUploads,
} from './uploads.ts';
import { words } from './words.ts';

const texts = messages.documents;

/** Asks for a folder in place of files. React has no name for it. */
const wholeFolder = { webkitdirectory: '' };

/** The window in which files are chosen and watched on their way. Closing it stops nothing; Cancel does. */
export function UploadModal() {
  const { open } = useUploads();
  return (
    <Dialog opened={open} onClose={closeUploads} title={texts.upload} wide>
      <Contents />
    </Dialog>
  );
}

/** There only while the window is open: however that closes, what was chosen in it is forgotten. */
function Contents() {
  const { items, running } = useUploads();
  const { files } = useCompanyFiles();
  const session = useSession();
  const browse = useRef<() => void>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(false);
  const [asking, setAsking] = useState(false);
  // What failed is tried again for where it was meant.
  const [collection, setCollection] = useState(() => failedFor(items));
  const locked = session.state === 'signed-in' && !session.session.entitlements.upload && session.session;
  const owner = session.state === 'signed-in' ? session.session.user.uid : null;
  // Not those under way: one of them may be the very file that is chosen again, to go on with it.
  const existing = files.filter(({ state }) => state !== 'uploading').map(({ name }) => name);
  const waiting = !running ? undecided(items, existing) : [];
  const count = sendable(items).length;
  const wanted = collection || null;
  const elsewhere = items.filter((item) => collected(item, wanted).collection !== wanted).length;

  const start = () => {
    if (running) return;
    chooseCollection(wanted);
    setProblem(count === 0 || owner === null);
    if (owner === null) return;
    if (waiting.length > 0) setAsking(true);
    else startUploads(owner);
  };
  const decide = (decided: readonly UploadItem[], choice: Choice) => {
    for (const { id } of decided) choose(id, choice);
    if (decided.length < waiting.length) return;
    // Upload was pressed before; the answer to the last question is all that it waited for.
    setAsking(false);
    if (owner !== null) startUploads(owner);
  };
  const add = (files: readonly File[]) => {
    addFiles(files);
    setProblem(false);
  };

  return (
    <>
      {locked && <InactiveNotice session={locked} what={words.upload} onLeave={closeUploads} />}
      {!running && !locked && (
        <Dropzone
          openRef={browse}
          onDrop={add}
          multiple
          activateOnClick={false}
          activateOnKeyboard={false}
          enablePointerEvents
          useFsAccessApi={false}
          tabIndex={-1}
          role="group"
          aria-label={words.dropHere}
          inputProps={{ 'aria-label': words.filesInput }}
          className={styles.dropzone ?? ''}
        >
          <p>
            {words.dropOr}
            <TextButton strong onClick={() => browse.current?.()} data-autofocus>
              {words.chooseFiles}
            </TextButton>
            {words.or}
            <TextButton strong onClick={() => folder.current?.click()}>
              {words.chooseFolder}
            </TextButton>
          </p>
          <p className={styles.hint}>{words.formats}</p>
        </Dropzone>
      )}
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={words.folderInput}
        {...wholeFolder}
        onChange={({ target }) => {
          add(worthSending([...(target.files ?? [])]));
          target.value = '';
        }}
      />
      {!running && !locked && items.length > 0 && <CollectionChoice onChoose={setCollection} chosen={collection} />}
      {!running && !locked && elsewhere > 0 && <p className={styles.hint}>{words.begunElsewhere(elsewhere)}</p>}
      {problem ? (
        <Notice kind="problem">{texts.selectFiles}</Notice>
      ) : (
        !running &&
        items.some(({ state }) => state === 'failed') && <Notice kind="problem">{texts.uploadFailed}</Notice>
      )}
      <UploadList items={items} running={running} owner={locked ? null : owner} />
      <TakenNames opened={asking} undecided={waiting} onChoose={decide} onCancel={() => setAsking(false)} />
      <DialogActions>
        <Button look="plain" onClick={cancelUploads}>
          {texts.cancel}
        </Button>
        {!locked && (
          <Button onClick={start} pending={running}>
            {running ? texts.uploading : texts.uploadCount(count)}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** Id of the collection that some of these were for when they failed; empty: none. */
function failedFor(items: readonly UploadItem[]): string {
  return items.find(({ state, collection }) => state === 'failed' && collection !== null)?.collection ?? '';
}
