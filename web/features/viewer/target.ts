/** What the viewer opens: a version of a document, at a citation or a page. */
export interface Target {
  documentId: string;
  version: number;
  cite?: string;
  page?: number;
}

/** Whether both lead to the same place. */
export function isSameTarget(a: Target | null, b: Target | null): boolean {
  if (!a || !b) return false;
  return a.documentId === b.documentId && a.version === b.version && a.cite === b.cite;
}

const address = /^\/documents\/([^/]+)\/([1-9]\d{0,8})$/;

/**
 * Reads the address of a document page (`/documents/<documentId>/<version>?cite=<id>`, or `?page=<n>`).
 *
 * @returns null for any other address, which the viewer can't open
 */
export function targetOf(url: string, known?: number): Target | null {
  if (!URL.canParse(url, window.location.origin)) return null;
  const { origin, pathname, searchParams } = new URL(url, window.location.origin);
  const [, documentId, version] = address.exec(pathname) ?? [];
  if (origin !== window.location.origin || documentId === undefined || version === undefined) return null;
  const cite = searchParams.get('cite');
  const page =
    known ?? (/^[1-9]\d{0,5}$/.test(searchParams.get('page') ?? '') ? Number(searchParams.get('page')) : undefined);
  return {
    documentId,
    version: Number(version),
    ...(cite === null ? {} : { cite }),
    ...(page === undefined ? {} : { page }),
  };
}

/** The address that leads there: what `targetOf` reads. */
export function addressOf({ documentId, version, cite, page }: Target): string {
  const search = cite !== undefined ? `?cite=${cite}` : page === undefined ? '' : `?page=${page}`;
  return `/documents/${documentId}/${version}${search}`;
}
