import '@mantine/core/styles/LoadingOverlay.layer.css';
import '@mantine/dropzone/styles.layer.css';
import { Button, Group, Modal } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { useCompanyFiles } from '#web/api/company-files.ts';
import { useSession } from '#web/api/session.ts';
import { InactiveNotice } from '#web/features/billing/SubscriptionNotices.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import type { Choice } from './names.ts';
import { planNames } from './names.ts';
import { UploadList } from './UploadList.tsx';
import styles from './Uploads.module.css';
import { addFiles, cancelUploads, choose, closeUploads, removeFile, startUploads, useUploads } from './uploads.ts';

const texts = messages.documents;

/** The window in which files are chosen and watched on their way. Closing it stops nothing; Cancel does. */
export function UploadModal() {
  const { items, open, running } = useUploads();
  const { files } = useCompanyFiles();
  const session = useSession();
  const browse = useRef<() => void>(null);
  const [problem, setProblem] = useState<'nothing' | 'undecided' | null>(null);
  const locked = session.state === 'signed-in' && !session.session.entitlements.upload && session.session;
  const owner = session.state === 'signed-in' ? session.session.user.uid : null;
  // Not those under way: one of them may be the very file that is chosen again, to go on with it.
  const existing = files.filter(({ state }) => state !== 'uploading').map(({ name }) => name);
  const planned = planNames(
    items.map(({ ownName, choice }) => ({ name: ownName, choice })),
    existing,
  );

  const start = () => {
    if (running) return;
    if (items.length === 0 || owner === null) setProblem('nothing');
    else if (planned.some(({ undecided }) => undecided)) setProblem('undecided');
    else {
      setProblem(null);
      startUploads(existing, owner);
    }
  };
  const decide = (id: number, choice: Choice) => {
    choose(id, choice);
    // Upload was pressed before; the answer to the last question is all that it waited for.
    const open = items.filter((item, index) => item.id !== id && planned[index]?.undecided);
    if (problem !== 'undecided' || open.length > 0) return;
    setProblem(null);
    if (owner !== null) startUploads(existing, owner);
  };
  const close = () => {
    setProblem(null);
    closeUploads();
  };

  return (
    <Modal
      opened={open}
      onClose={close}
      title={texts.upload}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {locked && <InactiveNotice session={locked} what="Files can be uploaded" onLeave={close} />}
      {!running && !locked && (
        <Dropzone
          openRef={browse}
          onDrop={(dropped) => {
            addFiles(dropped);
            setProblem(null);
          }}
          multiple
          activateOnClick={false}
          activateOnKeyboard={false}
          enablePointerEvents
          useFsAccessApi={false}
          tabIndex={-1}
          role="group"
          aria-label="Drop files here"
          inputProps={{ 'aria-label': 'Files to upload' }}
          className={styles.dropzone ?? ''}
        >
          <p>
            Drop files here, or{' '}
            <button type="button" className={styles.browse} onClick={() => browse.current?.()} data-autofocus>
              choose them
            </button>
          </p>
          <p className={styles.hint}>PDF, Office, OpenDocument, mail, e-books, web pages, text, CSV and pictures</p>
        </Dropzone>
      )}
      {problem && (
        <Notice kind="problem">
          {problem === 'nothing' ? texts.selectFiles : 'Please say what to do with the files whose name is taken.'}
        </Notice>
      )}
      <UploadList items={items} planned={planned} running={running} onChoose={decide} onRemove={removeFile} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={cancelUploads}>
          {texts.cancel}
        </Button>
        {!locked && (
          <Button onClick={start} aria-disabled={running || undefined}>
            {running ? texts.uploading : texts.uploadCount(items.length)}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
