import type { Examples } from './document.ts';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;
const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const key = /\bfn_[A-Za-z0-9]{12}_\w+/g;
const startOfKey = /\bfn_[A-Za-z0-9]{12}\b/g;
const webhookSecret = /\bwhsec_[A-Za-z0-9+/=]{40,}/g;
/** The day on which the story is told in the document. */
const day = '2026-01-15';

/**
 * Takes from recorded examples what is another one with each run: ids, times, tokens and the service's address. The
 * same id stays the same one throughout, so that a reader can follow it from call to call.
 * @param origin where the service answered
 * @param today the date on which it did
 */
export function steady(examples: Examples, { origins, today }: { origins: string[]; today: string }): Examples {
  const ids = new Map<string, string>();
  const times = new Map<string, string>();
  let text = JSON.stringify(examples)
    .replace(uuid, (id) =>
      numbered(ids, id, (n) => `0000${n.toString(16).padStart(4, '0')}-0000-4000-8000-000000000000`),
    )
    .replace(moment, (time) =>
      numbered(times, time, (n) => new Date(Date.parse(`${day}T09:00:00Z`) + n * 1000).toISOString()),
    )
    .replace(token, 'eyJhbGciOi…')
    .replace(key, 'fn_Nx4rT8mQz2Lb_…')
    .replace(startOfKey, 'fn_Nx4rT8mQz2Lb')
    .replace(webhookSecret, 'whsec_…')
    .replaceAll(today, day)
    .replaceAll(/(\/(?:files|exports|audit)\/)[\w.~%-]{40,}/g, '$1…');
  for (const origin of origins) text = text.replaceAll(origin, 'https://footnote.example');
  return measured(JSON.parse(text), '');
}

function numbered(known: Map<string, string>, found: string, make: (n: number) => string): string {
  const made = known.get(found) ?? make(known.size + 1);
  known.set(found, made);
  return made;
}

/** What a clock, or the machine, says: in a document any such number is as good as another. */
const byClock: Record<string, unknown> = { durationMs: 120, medianMs: 120, p95Ms: 240, allowedBytes: 50_000_000_000 };

function measured<Value>(value: Value, name: string): Value {
  if (Array.isArray(value)) return value.map((each) => measured(each, name)) as Value;
  if (typeof value !== 'object' || value === null) return (byClock[name] ?? value) as Value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, measured(each, field)])) as Value;
}
