import { useMutation } from '@tanstack/react-query';
import { type AccountSecurity, setSignInMails } from '#web/api/account-security.ts';
import { messageOf } from '#web/api/call.ts';
import { ChooseSome } from '#web/ui/Choices.tsx';
import { Section } from '#web/ui/Section.tsx';
import styles from './Account.module.css';
import { words } from './words.ts';

/** Whether the person is told of sign-ins in other browsers; saved as soon as it is chosen. */
export function SignInMails({ security: { signInMails }, email }: { security: AccountSecurity; email: string }) {
  const saving = useMutation(setSignInMails);
  const chosen = saving.isPending ? saving.variables : signInMails;
  return (
    <Section heading={words.mailsAboutSignIns}>
      <ChooseSome
        legend={words.mailMe}
        hint={words.goesTo(email)}
        choices={[{ value: 'on', label: words.newBrowser }]}
        values={chosen ? ['on'] : []}
        onChange={(values) => saving.isPending || saving.mutate(values.includes('on'))}
      />
      <p className={styles.said} data-kind={saving.error ? 'problem' : undefined} role="status">
        {saving.error ? messageOf(saving.error, words.notSaved) : saving.isSuccess && words.saved}
      </p>
    </Section>
  );
}
