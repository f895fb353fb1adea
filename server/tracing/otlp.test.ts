import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect } from 'vitest';
import { createLog } from '#server/http/log.ts';
import { companyTest } from '#server/testing/company.ts';

// The whole product with a collector of OpenTelemetry beside it, which takes what comes.

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Delivery {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const errorStatus = 2;
const lines: Record<string, unknown>[] = [];
const collector = await startCollector();
afterAll(() => collector.close());
const test = companyTest({
  config: { traces: { endpoint: collector.url, headers: { 'x-team': 'tests' }, share: 1 } },
  options: { log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }) },
});

const secret = 'The marzipan vault opens at nine';
const question = 'When does the marzipan vault open?';

describe('traces', () => {
  test('show a question from the search to what is stored, and a file from its upload to the index', async ({
    company,
  }) => {
    const { client, app } = company;
    await client.upload('Marzipan.md', Buffer.from(`# Vault\n\n${secret} on every day.\n`));
    await app.idle();
    const history = [{ role: 'user' as const, parts: [{ text: question }] }];
    const asked = await app.fetch('/v1/query', {
      method: 'POST',
      headers: { authorization: `Bearer ${company.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { history } }),
    });
    expect((await asked.json()).result.sources).toHaveLength(1);

    const query = await collector.spanOf('POST /v1/query');
    await collector.until(() => childrenOf(query).length >= 6);
    expect(facts(query)).toMatchObject({
      'http.request.id': asked.headers.get('x-request-id'),
      'http.response.status_code': 200,
    });
    expect(new Set(childrenOf(query).map(({ name }) => name))).toEqual(
      new Set(['search', 'rank', 'read passages', 'quotes', 'check quotes', 'record']),
    );

    const reading = await collector.spanOf('job ingest-version');
    const upload = collector.spans.find(({ spanId }) => spanId === reading.parentSpanId);
    expect(upload?.name).toMatch(/^(POST|PATCH) \/v1\/uploads/);
    expect(reading.traceId).toBe(upload?.traceId);
    await collector.until(() => childrenOf(reading).length >= 4);
    expect(childrenOf(reading).map(({ name }) => name)).toEqual(['parse', 'store', 'index', 'publish']);
  });

  test('say of an error what kind it is, and never what was asked, written or named', async ({ company }) => {
    const { app } = company;
    const before = collector.spans.length;
    const call = (name: string) =>
      app.fetch(`/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":null}',
      });
    expect((await call('deleteFile')).status).toBe(401);
    expect((await call('a-name-that-somebody-made-up')).status).toBe(404);
    await collector.until(
      () => collector.spans.slice(before).filter(({ name }) => name.startsWith('POST')).length >= 2,
    );
    expect(collector.spans.map(({ name }) => name)).toContain('POST /v1/:name');
    const everything = JSON.stringify(collector.spans);
    for (const word of ['marzipan', 'Marzipan', 'somebody-made-up', company.id, company.admin.email])
      expect(everything, word).not.toContain(word);
    expect(collector.headers['x-team']).toBe('tests');
  });

  test('name the trace in the lines of the log that are written on its way', async ({ company }) => {
    const { app, client } = company;
    app.app.http.log.warn('beside all requests');
    expect(lines.find(({ msg }) => msg === 'beside all requests')).not.toHaveProperty('traceId');
    // A table that is away fails the job, and is told of on the job's own trace.
    await app.app.db.asSystem((tx) => tx.execute('alter table chunks rename to chunks_away'));
    try {
      await client.upload('House.md', Buffer.from('# House\n\nThe house is quiet.\n'));
      await expect.poll(() => lines.some(({ job }) => job === 'ingest-version')).toBe(true);
    } finally {
      await app.app.db.asSystem((tx) => tx.execute('alter table chunks_away rename to chunks'));
    }
    await app.idle();
    const line = lines.find(({ job }) => job === 'ingest-version');
    expect(line?.traceId).toMatch(/^[0-9a-f]{32}$/);
    const failed = await collector.find(
      ({ name, status, traceId }) =>
        name === 'job ingest-version' && status.code === errorStatus && traceId === line?.traceId,
    );
    expect(facts(failed)).toMatchObject({ attempt: 1, 'error.type': expect.any(String) });
  });

  test('that can not be delivered are said once, and hold up nobody', async ({ company }) => {
    const { client } = company;
    const said = (text: string) => lines.filter(({ msg }) => msg === text).length;
    collector.refuse(true);
    await client.call('getCompanyFiles', null);
    await expect.poll(() => said('traces can not be delivered'), { timeout: 15_000 }).toBe(1);
    await client.call('getCompanyFiles', null);
    collector.refuse(false);
    const before = collector.spans.length;
    await client.call('getCompanyFiles', null);
    await collector.until(() => collector.spans.length > before);
    expect(said('traces can not be delivered')).toBe(1);
  });
});

function facts({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue),
    ]),
  );
}

/** All that hang on a span, its parts' parts too, in the order of their ends. */
function childrenOf({ spanId }: Span): Span[] {
  return collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
}

async function startCollector() {
  const spans: Span[] = [];
  let headers: NodeJS.Dict<string | string[]> = {};
  let refuses = false;
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const delivery = (await json(request)) as Delivery;
    if (refuses) return response.writeHead(400).end();
    headers = request.headers;
    spans.push(...delivery.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    for (const look of [...waiting]) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  async function find(is: (span: Span) => boolean): Promise<Span> {
    await until(() => spans.some(is));
    const found = spans.find(is);
    if (!found) throw new Error('it was just there');
    return found;
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get headers() {
      return headers;
    },
    until,
    find,
    spanOf: (name: string) => find((span) => span.name === name),
    refuse: (value: boolean) => {
      refuses = value;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
