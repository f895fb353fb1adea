import { auditActions } from '#contract/audit.ts';
import type { AuditWanted } from '#web/api/audit.ts';

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const day = /^\d{4}-\d\d-\d\d$/;
const maxText = 80;

/** What the page's address says is wanted: `?action=…&person=…&from=…&to=…&text=…`. What makes no sense is left out. */
export function wantedIn(search: URLSearchParams): AuditWanted {
  const action = auditActions.find((each) => each === search.get('action'));
  const userId = search.get('person') ?? '';
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  const text = (search.get('text') ?? '').trim().slice(0, maxText);
  return {
    ...(action && { action }),
    ...(id.test(userId) && { userId }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(text !== '' && { text }),
  };
}

/** The same as a part of an address. */
export function addressOf({ action, userId, from, to, text }: AuditWanted): Record<string, string> {
  return {
    ...(action && { action }),
    ...(userId && { person: userId }),
    ...(from && { from }),
    ...(to && { to }),
    ...(text && { text }),
  };
}

function isDay(written: string): boolean {
  const ms = Date.parse(written);
  return day.test(written) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(written);
}
