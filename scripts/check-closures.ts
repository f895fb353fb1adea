/**
 * A function that needs a table of contents is a file: this says which ones do. Its lines are those between its first
 * and last, without blank ones and comments, with those of the functions in it: what can be read of one scope.
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const maxLines = 80;
/** Markup takes a line for each element and most of its attributes. */
const maxLinesOfComponents = 120;

/** Longer for a reason: file and function, and how many lines it has at most. */
const longer: Record<string, number> = {
  // A line for each setting.
  'server/config/config.ts readConfig': 110,
  // The list of all features, in the order in which they are made.
  'server/app.ts open': 210,
  // The methods of one promise of a port, on the connection that is opened here.
  'server/ports/identity/identity-toolkit.ts openIdentityToolkit': 160,
  'server/ports/identity/embedded.ts openEmbeddedIdentity': 140,
  'server/ports/files/disk.ts diskFiles': 100,
  'server/ports/files/s3.ts s3Files': 100,
  // Each a statement of the same table, with the same key and clock.
  'server/ports/identity/embedded/sessions.ts sessionsIn': 120,
  // One queue: each function needs its state, whether it works and whether it stops.
  'server/jobs/jobs.ts openJobs': 120,
  // Each field of what the provider sends.
  'simulators/stripe/resources/invoices/serialize.ts invoice': 140,
  'simulators/stripe/resources/subscriptions/serialize.ts subscription': 100,
  // The deliveries under way are its state.
  'simulators/stripe/webhooks.ts createWebhooks': 100,
  // All of them read and write what is known of one stream so far.
  'server/features/answers/generate/citation-reader.ts createCitationReader': 200,
  'server/features/answers/generate/draft.ts createDraft': 160,
  // The rules in the order in which they decide, each on what those before it have found.
  'server/features/answers/generate/entailment.ts checkClaim': 100,
  // A line for each signal.
  'server/features/answers/extract/unit-signals.ts weighUnits': 120,
  // The children under way are its state.
  'server/features/ingestion/sandbox/sandbox.ts createSandbox': 180,
  // What a test of people needs of the app, in one list.
  'server/testing/identity.ts startTestIdentity': 130,
};

/** Of suites each test is held by itself; what surrounds them is a list. */
const isSuite = (file: string) => /\.(test|spec|conformance)\.ts$|^server\/ports\/[^/]+\/contract[^/]*\.ts$/.test(file);

const sources = globSync(
  '{client,contract,server,web,scripts,e2e,evals,bench,crash,samples,simulators}/**/*.{ts,tsx,mjs}',
).filter((file) => !isSuite(file));
const used = new Set<string>();

for (const file of sources) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  visit(source, file, source);
}
for (const name of Object.keys(longer)) if (!used.has(name)) fail(`${name}: no longer so long, take it off the list`);

function visit(node: ts.Node, file: string, source: ts.SourceFile): void {
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const lines = codeLines(node.getText(source));
    const name = `${file} ${nameOf(node)}`;
    const most = longer[name] ?? (file.endsWith('.tsx') ? maxLinesOfComponents : maxLines);
    if (lines > maxLines && longer[name]) used.add(name);
    if (lines > most) fail(`${name}: ${lines} lines (at most ${most})`);
  }
  ts.forEachChild(node, (child) => visit(child, file, source));
}

function codeLines(text: string): number {
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '(unnamed)';
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
