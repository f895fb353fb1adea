import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AppError } from '#contract/errors.ts';
import { messageOf } from '#web/api/call.ts';
import { deleteCompany } from '#web/api/company-end.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './CompanyEnd.module.css';

/** The way to the end of the company: its name has to be typed. */
export function DeleteCompany({ name }: { name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className={styles.lead}>
        Everything goes: documents, questions and answers, people and settings. The company is closed at once, and
        erased after 7 days; until then an admin can take it back. The subscription is canceled, and nothing more is
        charged.
      </p>
      <p className={styles.action}>
        <Button look="danger-quiet" onClick={() => setIsOpen(true)}>
          Delete the company…
        </Button>
      </p>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title="Delete the company?" closable={false}>
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
  const wasDismissed = refused instanceof AppError && refused.code === 'cancelled';
  return (
    <form className={styles.form} noValidate onSubmit={submit} aria-label="Delete the company">
      <p>
        <bdi>{name}</bdi> is closed for everyone now. After 7 days it is erased for good: there is no way back then, and
        no copy. All admins are mailed.
      </p>
      <Field
        label="Type the name of the company"
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
            ? 'This is not the name of your company.'
            : refused && !wasDismissed
              ? messageOf(refused, 'The company could not be deleted.')
              : undefined
        }
        data-autofocus
      />
      <DialogActions flush>
        <Button look="plain" onClick={onCancel}>
          Keep the company
        </Button>
        <Button look="danger" type="submit" pending={deleting.isPending}>
          Delete
        </Button>
      </DialogActions>
    </form>
  );
}
