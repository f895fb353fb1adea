import { chatTexts } from '#web/features/chat/texts.ts';
import styles from './Contact.module.css';
import { contactLink } from './contact-link.ts';

/** Whom to ask where the documents do not answer; an e-mail and an address can be followed. */
export function Contact({ contact }: { contact: string }) {
  const link = contactLink(contact);
  return (
    <p className={styles.contact}>
      {chatTexts.whomToAsk}{' '}
      {link === null ? (
        <bdi>{contact}</bdi>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          <bdi>{contact}</bdi>
        </a>
      )}
    </p>
  );
}
