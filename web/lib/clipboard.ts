/** A text in the two forms in which it may be pasted elsewhere. */
export interface Copied {
  text: string;
  /** Not given: the same text. */
  html?: string | undefined;
}

/**
 * Puts a text on the clipboard.
 * @throws Error when the browser refuses
 */
export async function putOnClipboard({ text, html }: Copied): Promise<void> {
  // Browsers hide the clipboard from pages served without TLS on another machine; there a copy of the page's own has to
  // do.
  if (!('clipboard' in navigator) || typeof ClipboardItem === 'undefined') return copyByEvent({ text, html });
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': new Blob([text], { type: 'text/plain' }),
      ...(html !== undefined && { 'text/html': new Blob([html], { type: 'text/html' }) }),
    }),
  ]);
}

function copyByEvent({ text, html }: Copied): void {
  const fill = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    if (html !== undefined) event.clipboardData?.setData('text/html', html);
  };
  document.addEventListener('copy', fill);
  try {
    if (!document.execCommand('copy')) throw new Error('The browser does not let this page copy.');
  } finally {
    document.removeEventListener('copy', fill);
  }
}
