/** Where a contact leads: an e-mail to a mail, an address of the web to its page; null where it is but words. */
export function contactLink(contact: string): string | null {
  if (/^[^\s@<>"?&]+@[\p{L}\p{N}.-]+\.[\p{L}\p{N}-]+$/u.test(contact)) return `mailto:${encodeURI(contact)}`;
  if (!/^https?:\/\/\S+$/i.test(contact) || !URL.canParse(contact)) return null;
  return new URL(contact).href;
}
