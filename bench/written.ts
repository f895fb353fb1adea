import { createClient, forPrograms } from '#client/client.ts';
import { says } from '#simulators/models/script.ts';
import { startModelServer } from '#simulators/models/server.ts';
import { startApp } from '../e2e/app.ts';
import { milliseconds, percentile, type Row } from './figures.ts';

const rounds = 20;
/** Between a model's pieces of four letters or so: some 50 tokens a second. */
const pauseMs = 20;
const policy = `# Travel

Receipts must be handed in within 30 days.

A hotel in Berlin may cost 145 euros a night.

Parking at the station is paid back in full.
`;
const facts = policy.trim().split('\n\n').slice(1);
const shapes: Record<string, string> = {
  text: facts.map((fact) => `${fact.slice(0, -1)} [1].`).join(' '),
  'a list': facts.map((fact) => `- ${fact.slice(0, -1)} [1].`).join('\n'),
  'a list with labels': facts.map((fact) => `- **${fact.split(' ')[0]}:** ${fact.slice(0, -1)} [1].`).join('\n'),
  'a list with its markers at the end': `${facts.map((fact) => `- ${fact}`).join('\n')}\n\nSource: [1]`,
  'a table': `| What | Rule |\n|---|---|\n${facts.map((fact) => `| ${fact.split(' ')[0]} | ${fact.slice(0, -1)} [1] |`).join('\n')}`,
  'markers in another shape': facts.map((fact) => `${fact.slice(0, -1)} (passage 1).`).join(' '),
};

/** What words leave open, so that a second reader is asked about it. */
const paraphrase = 'Whoever leaves a car by the tracks gets the whole sum reimbursed [1].';
/** Says yes to whatever it is asked, after a while: how faithful it is does not matter for the time. */
const faithful = says(JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i + 1, 'yes']))), {
  pauseMs: 5,
});

/**
 * How long after a model's first piece the first words of a written answer come, whatever its shape, and with a second
 * reader that is asked about some of it meanwhile.
 */
export async function measureWritten(): Promise<Row[]> {
  const alone = await measureShapes(shapes, {}, '');
  const reader = await startModelServer({ protocol: 'openai', script: faithful });
  try {
    const settings = { LLM_VERIFY: 'auto', LLM_VERIFY_MODEL: 'reader', LLM_VERIFY_URL: reader.url };
    const open = Object.entries(shapes).map(([shape, text]) => [shape, `${text}\n\n${paraphrase}`]);
    const readTwice = await measureShapes(Object.fromEntries(open), settings, ', with a second reader');
    if (reader.calls.length === 0) throw new Error('The second reader was never asked.');
    return [...alone, ...readTwice];
  } finally {
    await reader.close();
  }
}

async function measureShapes(
  given: Record<string, string>,
  settings: Record<string, string>,
  behindName: string,
): Promise<Row[]> {
  const model = await startModelServer({ protocol: 'openai', script: says('NOT_IN_DOCUMENTS') });
  const app = await startApp({
    ...forPrograms,
    LLM: 'openai-compatible',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
    LLM_VERIFY: 'off',
    ...settings,
  });
  try {
    const { idToken } = await createClient(app.url).call('signUp', {
      companyName: 'Bench',
      email: 'bench@nordwind.example',
      password: 'seventeen quiet herons',
    });
    const client = createClient(app.url, idToken);
    await client.upload('Travel.md', Buffer.from(policy));
    await client.filesWhenRead();
    const rows: Row[] = [];
    for (const [shape, text] of Object.entries(given)) {
      const behind: number[] = [];
      for (let i = 0; i < rounds; i++) {
        let begun = 0;
        let seen = 0;
        model.play(() => {
          // The first piece is sent after one pause.
          begun = performance.now() + pauseMs;
          return says(text, { pauseMs });
        });
        const history = [
          { role: 'user' as const, parts: [{ text: 'What is said about receipts, hotels and parking?' }] },
        ];
        await client.stream('query', { history }, (message) => {
          if ((message.type === 'draft' || message.type === 'token') && /\p{L}/u.test(message.text))
            seen ||= performance.now();
        });
        behind.push(seen - begun);
      }
      const figures = [0.5, 0.95].map((share) => milliseconds(percentile(behind, share))).join(', ');
      rows.push([
        `first visible words behind the model's first piece, ${shape}${behindName}, p50, p95`,
        figures,
        '150 ms',
      ]);
    }
    return rows;
  } finally {
    await app.stop();
    await model.close();
  }
}
