import { expect, test } from 'vitest';
import { contactLink } from './contact-link.ts';

test.each([
  ['office@example.com', 'mailto:office@example.com'],
  ['https://example.com/help', 'https://example.com/help'],
  // What could do more than write a mail or show a page is shown as it is.
  ['javascript:alert(1)', null],
  ['a@example.com?bcc=b@example.com', null],
  ['Ask Jane at the desk', null],
  ['https://', null],
])('%s leads to %s', (contact, link) => expect(contactLink(contact)).toBe(link));
