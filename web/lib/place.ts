/** What the numbered parts of a file are called. */
export function partKind(name: string): 'page' | 'slide' {
  return isPresentation(name) ? 'slide' : 'page';
}

/** With its templates, its shows and those with macros, as the server reads them. */
export function isPresentation(name: string): boolean {
  return /\.(p(pt|ps|ot)[xm]|o[dt]p)$/i.test(name);
}

/** `page 3`, `slide 3` */
export function placeLabel(name: string, page: number): string {
  return `${partKind(name)} ${page}`;
}

/** Whether every browser can draw a file of this name as a picture. What is in it may still be something else. */
export function isPicture(name: string): boolean {
  return /\.(png|jpe|jpe?g|jfif|webp)$/i.test(name);
}

/** Whether a browser shows the original of such a file; any other is a download. */
export function isShownByBrowsers(name: string): boolean {
  return isPicture(name) || /\.(pdf|html?|md|txt)$/i.test(name);
}
