/** What the viewer opens: a version of a document, at a citation or a page. */
export interface Target {
  documentId: string;
  version: number;
  cite?: string;
  /** Instead of a citation: where a passage stands in the extracted text, as `<start>-<end>`. */
  at?: string;
  page?: number;
}

/** Whether both lead to the same place. */
export function isSameTarget(a: Target | null, b: Target | null): boolean {
  if (!a || !b) return false;
  return a.documentId === b.documentId && a.version === b.version && a.cite === b.cite && a.at === b.at;
}

const address = /^\/documents\/([^/]+)\/([1-9]\d{0,8})$/;

/**
 * Reads the address of a document page (`/documents/<documentId>/<version>?cite=<id>`, `?at=<start>-<end>`, or
 * `?page=<n>`).
 *
 * @returns null for any other address, which the viewer can't open
 */
export function targetOf(url: string, known?: number): Target | null {
  if (!URL.canParse(url, window.location.origin)) return null;
  const { origin, pathname, searchParams } = new URL(url, window.location.origin);
  const [, documentId, version] = address.exec(pathname) ?? [];
  if (origin !== window.location.origin || documentId === undefined || version === undefined) return null;
  const cite = searchParams.get('cite');
  const at = searchParams.get('at');
  const page =
    known ?? (/^[1-9]\d{0,5}$/.test(searchParams.get('page') ?? '') ? Number(searchParams.get('page')) : undefined);
  return {
    documentId,
    version: Number(version),
    ...(cite === null ? {} : { cite }),
    ...(at === null || !/^\d{1,9}-\d{1,9}$/.test(at) ? {} : { at }),
    ...(page === undefined ? {} : { page }),
  };
}

/** The address that leads there: what `targetOf` reads. */
export function addressOf({ documentId, version, cite, at, page }: Target): string {
  const search = new URLSearchParams();
  if (cite !== undefined) search.set('cite', cite);
  else {
    if (page !== undefined) search.set('page', `${page}`);
    if (at !== undefined) search.set('at', at);
  }
  return `/documents/${documentId}/${version}${search.size === 0 ? '' : `?${search}`}`;
}
