/** Has the browser save a text as a file. */
export function saveText(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  saveFrom(url, fileName);
  // The browser has begun by then; revoked in the same turn some save nothing.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Has the browser save what an address of this origin answers: the page stays, whatever the answer is, and nobody is
 * asked whether to leave it. Not given, the name is the server's.
 */
export function saveFrom(href: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
}
