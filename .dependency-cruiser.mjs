import { commands, shared } from './scripts/release/contents.ts';

/** The import rules of ARCHITECTURE.md. Capture groups cover features and ports that are yet to come. */

// Each feature may use those before it, never those after it.
const features = [
  'mail',
  'audit',
  'webhooks',
  'identity',
  'api-keys',
  'connected-apps',
  'team',
  'billing',
  'ingestion',
  'documents',
  'retrieval',
  'answers',
  'analytics',
  'settings',
  'export',
  'company-end',
];

const laterFeatures = features.slice(0, -1).map((feature, index) => ({
  name: `feature-order-${feature}`,
  comment: 'Features depend on each other in one direction.',
  severity: 'error',
  from: { path: `^server/features/${feature}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^server/features/(${features.slice(index + 1).join('|')})/` },
}));

const tests = '(\\.(test|conformance)\\.ts$|^server/testing/)';

/**
 * What others may import of a feature beside its public file, `features/<name>/<name>.ts`: other features, and the
 * programs around the server.
 */
const publicFiles = {
  // What a mail says, for whoever has one sent.
  mail: ['render'],
  // For the command that checks the chains of events.
  audit: ['verify'],
  // What happens is told by whoever does it; what was sent of a document is erased with it. Secrets are sealed anew by
  // a command.
  webhooks: ['outbox', 'forget', 'secret'],
  // What a plan lets people do, as a type. People are made, changed and removed in one place, under one lock. An
  // invitation is an account that is not confirmed yet: it has a mailed code, counts against guesses and may end
  // another account. Who has lost the second factor is helped by a command, too, and keys are changed by one.
  identity: [
    'authenticate',
    'people',
    'recent-sign-in',
    'company-name',
    'guesses',
    'mailed-codes',
    'unconfirmed',
    'second-factor/reset',
    'keys',
    'single-sign-on/open-passwords',
  ],
  // Calls that read a company's documents count what is asked by keys; links made by one hold as long as it does.
  'api-keys': ['use', 'live-key'],
  // A plan has seats, and a company uses some.
  team: ['seats'],
  // For the command that lets a company's people in from anywhere again.
  settings: ['allowed-addresses'],
  // For the command that gives a company a plan.
  billing: ['grant'],
  // For the command that keeps a company whose admins can't.
  'company-end': ['keep'],
  // A file goes in, blocks and chunks come out: the stations in between, which documents puts into jobs.
  ingestion: [
    'document',
    'detect',
    'about',
    'chunk',
    'place',
    'reasons',
    'parsers/parser',
    'planted/planted',
    'sandbox/(collector|folders|protocol|sandbox|worker)',
  ],
  // Tags are a filter of searches; the search table is rebuilt by a command and measured by a bench. A restore deletes
  // again what had been deleted.
  documents: ['tags', 'deletion/(erase|delete-documents)', 'processing/search-(chunks|upkeep)'],
  // How a question and a text are read, which answers do by the same rules.
  retrieval: [
    'question/(answer-type|asked|answer-kind|definition|focus|asks-amount|coverage|names|numbered-parts|worked-out|year-fit)',
    'planted-orders',
  ],
};

/** What evaluations and benches measure by itself. */
const measured = {
  ingestion: ['fixtures', 'sandbox/patiently', 'parsers/(clean|text|pdf-lines|pdf-text)'],
  retrieval: ['question/question', 'ranking/(rank|signals|weights)'],
  analytics: ['same-question'],
  audit: ['seal'],
  answers: ['found-quotes', 'history', 'extract/.+', 'generate/(draft|entailment|second-reading|supplied)'],
};

/** Commands that an archive of `npm run release` has, and what they share (scripts/release/contents.ts). */
const released = [...Object.values(commands), ...shared]
  .filter((file) => file.startsWith('scripts/'))
  .map((file) => file.slice('scripts/'.length, -'.ts'.length));

const publicFilesOnly = features.flatMap((feature) => {
  const files = [feature, ...(publicFiles[feature] ?? [])];
  const rule = (name, from, allowed) => ({
    name: `${name}-${feature}`,
    comment: 'What a feature does stands in its public file; the rest may change without anybody noticing.',
    severity: 'error',
    from,
    to: { path: `^server/features/${feature}/(?!(${allowed.join('|')})\\.ts$)` },
  });
  return [
    // app.ts makes all parts and connects them.
    rule(
      'public-file-of',
      {
        path: '^(server|client|contract|scripts|simulators|samples)/',
        pathNot: `(^server/features/${feature}/|^server/app\\.ts$|${tests})`,
      },
      files,
    ),
    rule('measured-of', { path: '^(evals|bench|crash|e2e)/', pathNot: tests }, [
      ...files,
      ...(measured[feature] ?? []),
    ]),
  ];
});

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-nothing',
      comment: 'Browser and server agree on the contract, so it may know neither.',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(contract/|node_modules/zod/)' },
    },
    {
      name: 'web-not-server',
      severity: 'error',
      from: { path: '^web/' },
      // No part of a server: what every property test starts with.
      to: { path: '^server/', pathNot: '^server/testing/fast-check\\.ts$' },
    },
    { name: 'server-not-web', severity: 'error', from: { path: '^server/' }, to: { path: '^web/' } },
    {
      name: 'web-without-zod',
      comment: 'Only types of the calls reach the browser: zod would double the sign-in pages.',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(contract/calls|contract/call\\.ts|node_modules/zod/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'components-through-ui',
      comment:
        'How a dialog or a button looks and behaves is decided once, in web/ui; the upload window alone has a dropzone.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/(ui/|App\\.tsx$|theme\\.ts$)' },
      to: { path: '^node_modules/@mantine/', pathNot: '^node_modules/@mantine/(dropzone|core/styles)/' },
    },
    {
      name: 'web-api-knows-no-screens',
      severity: 'error',
      from: { path: '^web/api/' },
      to: { path: '^web/(ui|features|pages)/' },
    },
    {
      name: 'ui-knows-no-features',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^web/(api|features|pages)/' },
    },
    {
      name: 'port-implementations-stay-apart',
      comment:
        'Only the composition root chooses an implementation, by what the configuration says of it; and the doctor tries the one of files.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `(^server/(app\\.ts$|config/|doctor/files\\.ts$|(open-ports|payments|mailer)\\.ts$)|^server/ports/([^/]+)/|${tests})`,
      },
      to: { path: '^server/ports/[^/]+/(?!port\\.ts)' },
    },
    {
      name: 's3-is-loaded-on-demand',
      comment: 'Its client is large, and most start without: only its own files, and an import() of those who use it.',
      severity: 'error',
      from: {
        path: '^(server|scripts)/',
        pathNot: `(^server/ports/(files/(s3[./]|contract-s3)|search/(s3/|contract-s3))|${tests})`,
      },
      to: {
        path: '^(server/ports/(files/(s3\\.ts$|s3/(?!place\\.ts$))|search/s3/)|node_modules/@(aws-sdk|smithy)/)',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'ports-know-no-features',
      severity: 'error',
      from: { path: '^server/ports/([^/]+)/', pathNot: tests },
      // Search in a store that speaks S3 speaks to it as files do.
      to: { path: '^server/', pathNot: '^server/(ports/$1|ports/files/s3|lib|db)/' },
    },
    {
      name: 'simulators-stand-alone',
      comment: 'A simulator is what stands on the other side of the wire; what it shared with us could never be wrong.',
      severity: 'error',
      from: { path: '^simulators/' },
      to: { path: '^(server|web|contract)/' },
    },
    {
      name: 'only-the-root-starts-simulators',
      severity: 'error',
      from: {
        path: '^(contract|server|web)/',
        pathNot: `(^server/(app|app-options|payments)\\.ts$|^server/ports/[^/]+/contract\\.ts$|${tests})`,
      },
      to: { path: '^simulators/' },
    },
    {
      name: 'the-client-knows-the-contract-alone',
      comment: 'It is what any program of a customer could be.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(server|web|scripts|simulators)/' },
    },
    {
      name: 'server-imports-no-script',
      comment: 'Its tests, too: what both need stands in the client, or in the server.',
      severity: 'error',
      from: { path: '^(contract|server|web|simulators|client)/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'calls-are-common-ground',
      comment: 'What transport and features agree on may know neither.',
      severity: 'error',
      from: { path: '^server/calls/', pathNot: tests },
      to: { path: '^(server|web|scripts)/', pathNot: '^server/(calls|db)/' },
    },
    {
      name: 'helpers-know-no-product',
      comment: 'What knows who is calling, or what a company has, stands with those who agree on it.',
      severity: 'error',
      from: { path: '^server/lib/', pathNot: tests },
      to: { path: '^server/', pathNot: '^server/lib/' },
    },
    {
      name: 'transport-knows-no-features',
      comment: 'A route that belongs to a feature stands with it; app.ts mounts it.',
      severity: 'error',
      from: { path: '^server/http/', pathNot: tests },
      to: { path: '^server/(features|ports|jobs)/' },
    },
    {
      name: 'features-know-no-transport',
      severity: 'error',
      from: { path: '^server/(features|jobs|lib|db)/', pathNot: tests },
      to: { path: '^server/http/' },
    },
    {
      name: 'drizzle-by-one-file',
      comment: 'There it is loaded as CommonJS, which spares every start half a second of a processor.',
      severity: 'error',
      from: { pathNot: '^server/db/drizzle\\.ts$' },
      to: { path: '(^|/)node_modules/drizzle-orm/' },
    },
    ...laterFeatures,
    ...publicFilesOnly,
    {
      name: 'a-release-needs-no-tools',
      comment:
        'An archive of npm run release holds what runs alone, so nothing there may import what only builds or tests.',
      severity: 'error',
      from: {
        path: `^(contract|server|client|simulators/stripe)/|^scripts/(${released.join('|')})\\.ts$`,
        pathNot: `(${tests}|/contract[^/]*\\.ts$|/fixtures\\.ts$|/escaping-child\\.ts$)`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'a-release-needs-no-other-script',
      severity: 'error',
      from: { path: `^scripts/(${released.join('|')})\\.ts$` },
      to: { path: `^scripts/(?!(${released.join('|')})\\.ts$)` },
    },
    {
      name: 'the-same-inputs-in-each-run',
      comment: 'A property test of its own seed would fail a landing by what was drawn that day.',
      severity: 'error',
      from: { pathNot: '^server/testing/fast-check\\.ts$' },
      to: { path: '^node_modules/fast-check/' },
    },
    {
      name: 'no-test-code-in-product',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: `(${tests}|/contract\\.ts$)` },
      to: { path: '^server/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css'] },
  },
};
