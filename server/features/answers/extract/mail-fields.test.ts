import { expect, test } from 'vitest';
import { mailField } from './mail-fields.ts';

test.each([
  ['From', 'Who sent the mail about the budget?'],
  ['From', 'who wrote to us about the repairs'],
  ['From', 'Wer hat die Nachricht über den Pier geschickt?'],
  ['From', 'Qui a envoyé le message sur le budget ?'],
  ['From', '¿Quién envió el correo sobre el muelle?'],
  ['From', 'Name the sender of the message on the ferry'],
  ['To', 'To whom was the invoice mail sent?'],
  ['To', 'Who was the mail about the pier sent to?'],
  ['To', 'Who received the e-mail?'],
  ['To', 'An wen ging die Nachricht?'],
  ['Date', 'When was the mail about the pier sent?'],
  ['Date', 'What is the date of the e-mail from Dora?'],
  ['Date', 'Wann wurde die Nachricht geschickt?'],
  ['Subject', 'What is the subject of the mail from Dora?'],
  ['Cc', 'Who was in copy?'],
])('%s: %s', (field, question) => {
  expect(mailField(question)).toBe(field);
});

test.each(['When was the contract signed?', 'Who founded the company?', 'What does the notice period depend on?'])(
  'no field: %s',
  (question) => {
    expect(mailField(question)).toBeNull();
  },
);
