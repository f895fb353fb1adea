const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is the id of something, of whatever version, as we write them: in small letters. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
