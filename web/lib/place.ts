/** What the numbered parts of a file are called. */
export function partKind(name: string): 'page' | 'slide' {
  return /\.(pptx|odp)$/i.test(name) ? 'slide' : 'page';
}

/** `page 3`, `slide 3` */
export function placeLabel(name: string, page: number): string {
  return `${partKind(name)} ${page}`;
}

/** Whether every browser can draw a file of this name as a picture. What is in it may still be something else. */
export function isPicture(name: string): boolean {
  return /\.(png|jpe?g|webp)$/i.test(name);
}

/** Whether a browser shows the original of such a file; any other is a download. */
export function isShownByBrowsers(name: string): boolean {
  return isPicture(name) || /\.(pdf|html?|md|txt)$/i.test(name);
}
