import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '#web/api/call.ts';
import { isCancelled } from '#web/api/cancelled.ts';
import { deleteCompany } from '#web/api/company-end.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './CompanyEnd.module.css';
import { words } from './words.ts';

/** The way to the end of the company: its name has to be typed. */
export function DeleteCompany({ name }: { name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className={styles.lead}>{words.lead}</p>
      <p className={styles.action}>
        <Button look="danger-quiet" onClick={() => setIsOpen(true)}>
          {words.deleteIt}
        </Button>
      </p>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title={words.deleteTitle} closable={false}>
        {isOpen && <Question name={name} onCancel={() => setIsOpen(false)} />}
      </Dialog>
    </>
  );
}

function Question({ name, onCancel }: { name: string; onCancel: () => void }) {
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const deleting = useMutation(deleteCompany);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deleting.isPending) return;
    const differs = typed.trim().normalize() !== name.trim().normalize();
    setIsWrong(differs);
    if (!differs) deleting.mutate(typed);
  };
  const refused = deleting.error;
  return (
    <form className={styles.form} noValidate onSubmit={submit} aria-label={words.deleteAction}>
      <p>
        <bdi>{name}</bdi> {words.closedNow}
      </p>
      <Field
        label={words.typeName}
        dir="auto"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          deleting.reset();
          setIsWrong(false);
          setTyped(target.value);
        }}
        error={
          isWrong
            ? words.wrongName
            : refused && !isCancelled(refused)
              ? messageOf(refused, words.notDeleted)
              : undefined
        }
        data-autofocus
      />
      <DialogActions flush>
        <Button look="plain" onClick={onCancel}>
          {words.keep}
        </Button>
        <Button look="danger" type="submit" pending={deleting.isPending}>
          {words.delete}
        </Button>
      </DialogActions>
    </form>
  );
}
