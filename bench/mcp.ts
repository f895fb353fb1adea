import { setTimeout } from 'node:timers/promises';
import { createClient, forPrograms } from '#client/client.ts';
import { usualUpkeep } from '#server/features/documents/processing/search-upkeep.ts';
import { connectMcp, eras } from '#server/testing/mcp-client.ts';
import { startApp } from '../e2e/app.ts';
import { percentile, type Row } from './figures.ts';
import { makeManual, questionsAbout } from './manual.ts';

const manuals = 3;
const pagesEach = 100;
const rounds = 200;

/** What a question costs more by MCP than by a call with the same key, and that than a person's own, by turns. */
export async function measureMcp(): Promise<Row[]> {
  const app = await startApp(forPrograms);
  try {
    const { idToken } = await createClient(app.url).call('signUp', {
      companyName: 'Bench',
      email: 'bench@nordwind.example',
      password: 'seventeen quiet herons',
    });
    const admin = createClient(app.url, idToken);
    for (let i = 0; i < manuals; i++) await admin.upload(`Manual ${i + 1}.pdf`, await makeManual(i, pagesEach));
    await admin.filesWhenRead();
    const { key } = await admin.call('createApiKey', { name: 'Bench', kind: 'personal', scope: 'read' });
    // Until the index has taken in what is new.
    await setTimeout((usualUpkeep.optimizeAfterSeconds + 5) * 1000);
    const client = createClient(app.url, key);
    const [modern, legacy] = await Promise.all(eras.map((era) => connectMcp(`${app.url}/mcp/key`, key, era)));
    const asked = (text: string) => ({ history: [{ role: 'user' as const, parts: [{ text }] }] });
    const ways: Record<string, (question: string) => Promise<unknown>> = {
      'by /v1, signed in': (text) => admin.call('query', asked(text)),
      'by /v1 with a key': (text) => client.call('query', asked(text)),
      'by MCP, 2026-07-28': (question) => ask(modern, question),
      'by MCP, 2025-11-25': (question) => ask(legacy, question),
    };
    const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]));
    for (const [i, { question }] of questionsAbout(manuals, pagesEach, rounds + 20).entries()) {
      for (const [way, work] of Object.entries(ways)) {
        const started = performance.now();
        await work(question);
        if (i >= 20) times.get(way)?.push(performance.now() - started);
      }
    }
    await Promise.all([modern?.close(), legacy?.close()]);
    const plain = times.get('by /v1 with a key') ?? [];
    return [...times].flatMap(([way, took]): Row[] => {
      const half = percentile(took, 0.5);
      const more = half - percentile(plain, 0.5);
      const row: Row = [
        `a question ${way}, p50, p95`,
        `${half.toFixed(1)} ms, ${percentile(took, 0.95).toFixed(1)} ms`,
        '',
      ];
      if (took === plain) return [row];
      return [row, [`more than by /v1 with a key, p50`, `${more.toFixed(1)} ms`, way.includes('MCP') ? '5 ms' : '']];
    });
  } finally {
    await app.stop();
  }
}

async function ask(client: Awaited<ReturnType<typeof connectMcp>> | undefined, question: string): Promise<void> {
  const answer = await client?.callTool({ name: 'ask', arguments: { question } });
  if (!answer || answer.isError) throw new Error(`a question was refused: ${JSON.stringify(answer)}`);
}
