import fc from '#server/testing/fast-check.ts';
import { type FuzzRequest, type Known, requests } from './fuzz.ts';

export interface Fuzzed {
  sent: number;
  /** How often each code was answered; `ok` where it was done. */
  answers: Record<string, number>;
  /** Requests that were answered by a fault of the service, with what it said. */
  faults: string[];
}

const maxKnown = 40;
const perRound = 50;
const atOnce = 4;

/**
 * Sends a service requests that are made of the document, and goes on with the ids that come back.
 * @param bearers who sends them, each as often as the others; null: nobody
 * @param spared ids that no request is made with: a key that revokes itself has nothing more to say
 * @param seed the same seed makes the same first requests
 */
export async function fuzzService(
  { url, bearers, spared = [] }: { url: string; bearers: (string | null)[]; spared?: string[] },
  { count, seed }: { count: number; seed: number },
): Promise<Fuzzed> {
  const fuzzed: Fuzzed = { sent: 0, answers: {}, faults: [] };
  const known: Known = { ids: [], paths: [] };
  for (let round = 0; fuzzed.sent < count; round += 1) {
    const made = fc.sample(requests(known, bearers.length), {
      numRuns: Math.min(perRound, count - fuzzed.sent),
      seed: seed + round,
    });
    const waiting = [...made];
    const worker = async () => {
      for (let each = waiting.shift(); each; each = waiting.shift()) {
        const text = await send(url, bearers[each.bearer] ?? null, each);
        learn(known, text, spared);
        note(fuzzed, each, text);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
  return fuzzed;
}

async function send(url: string, bearer: string | null, { call, data, stream }: FuzzRequest): Promise<string> {
  const response = await fetch(`${url}/v1/${call}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
      ...(stream && { Accept: 'text/event-stream' }),
    },
    body: JSON.stringify({ data }),
  });
  return response.text();
}

function learn({ ids, paths }: Known, text: string, spared: string[]): void {
  for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":"([^"\\]{3,200})"/g)) {
    const list = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value) ? ids : name === 'path' ? paths : null;
    if (!list || list.includes(value) || spared.includes(value)) continue;
    list.push(value);
    if (list.length > maxKnown) list.splice(1, 1);
  }
}

function note(fuzzed: Fuzzed, request: FuzzRequest, text: string): void {
  const [, code = 'ok'] = /"error":\{.*"code":"([\w-]+)"/s.exec(text) ?? [];
  fuzzed.sent += 1;
  fuzzed.answers[code] = (fuzzed.answers[code] ?? 0) + 1;
  if (code !== 'internal' && code !== 'unavailable' && code !== 'deadline-exceeded') return;
  fuzzed.faults.push(`${code}: ${JSON.stringify(request).slice(0, 600)} → ${text.slice(0, 300)}`);
}
