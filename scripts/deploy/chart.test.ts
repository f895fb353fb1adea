import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '#server/config/config.ts';
import { type Helm, openHelm } from './helm.ts';
import { misfits, type Resource } from './kubernetes.ts';

const root = join(import.meta.dirname, '..', '..');
const chart = join(root, 'deploy', 'helm', 'footnote');
const image = { image: { repository: 'registry.example/footnote' }, host: 'ask.example.com' };
const several = {
  ...image,
  secretName: 'footnote',
  files: { url: 's3://bucket/files' },
  search: { url: 's3://bucket/search' },
};
const everything = {
  ...several,
  s3: { endpoint: 'https://objects.example.com', region: 'eu-central-1' },
  settings: { BILLING: 'off', MAX_FILE_MB: '100' },
  imagePullSecrets: [{ name: 'pull' }],
  ledger: { claimName: 'ledger' },
  web: { replicas: 3, autoscaling: { enabled: true, maxReplicas: 9 } },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/footnote' } },
  ingress: { className: 'nginx', tlsSecretName: 'certificate' },
};
const single = { ...image, mode: 'single', settings: { BILLING: 'off' }, single: { storage: { className: 'fast' } } };
/** What the secret of the operator has. */
const secret = {
  DATABASE_URL: 'postgres://footnote:p@database/footnote',
  SECRET_KEY: 'k'.repeat(32),
  SMTP_URL: 'smtp://mail',
  MAIL_FROM: 'a@example.com',
  BILLING: 'off',
};

// Helm is carried for this kind of machine alone.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the chart', () => {
  let helm: Helm;
  beforeAll(async () => {
    helm = await openHelm();
  });
  afterAll(() => helm.remove());

  const given = (values: object) =>
    Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);
  async function render(values: object): Promise<Resource[]> {
    const printed = await helm.run('template', 'wissen', chart, ...given(values));
    return parseAllDocuments(printed).flatMap((document) => document.toJS() ?? []);
  }
  const kinds = (resources: Resource[]) => resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  const deployments = (resources: Resource[]) => resources.filter(({ kind }) => kind === 'Deployment');

  test('is free of faults, and makes what Kubernetes knows', async () => {
    const all = [several, everything, single];
    for (const values of all) await helm.run('lint', '--strict', chart, ...given(values));
    const rendered = await Promise.all(all.map(render));
    // At once: the compiler reads all of Kubernetes' types each time.
    expect(misfits(rendered.flat())).toEqual([]);
  });

  test('a field that Kubernetes does not know, or of another type, would be noticed', async () => {
    const [wrong] = deployments(await render(several));
    if (!wrong) throw new Error('no deployment');
    wrong.spec.template.spec.containers[0].readynessProbe = {};
    wrong.spec.replicas = 'two';
    expect(misfits([wrong]).join()).toMatch(/replicas.*readynessProbe/s);
  });

  test('several processes: web behind an ingress, workers, and web that goes on while nodes are emptied', async () => {
    expect(kinds(await render(several))).toEqual([
      'ConfigMap wissen-footnote',
      'Deployment wissen-footnote-web',
      'Deployment wissen-footnote-worker',
      'Ingress wissen-footnote',
      'PodDisruptionBudget wissen-footnote-web',
      'Service wissen-footnote',
      'ServiceAccount wissen-footnote',
    ]);
    expect(kinds(await render(everything))).toContain('HorizontalPodAutoscaler wissen-footnote-web');
    expect(kinds(await render(single))).toEqual([
      'ConfigMap wissen-footnote',
      'Deployment wissen-footnote',
      'Ingress wissen-footnote',
      'PersistentVolumeClaim wissen-footnote',
      'Service wissen-footnote',
      'ServiceAccount wissen-footnote',
    ]);
  });

  test.each([
    ['several', several, ['web', 'worker']],
    ['everything', everything, ['web', 'worker']],
    ['single', single, ['all']],
  ])(
    'its processes take their settings, may change nothing but their rooms, and the service finds those that answer (%s)',
    async (_, values, roles) => {
      const resources = await render(values);
      const map = resources.find(({ kind }) => kind === 'ConfigMap')?.data;
      const answering = resources.find(({ kind }) => kind === 'Service')?.spec.selector;
      const found = deployments(resources);
      for (const [index, { spec }] of found.entries()) {
        const { securityContext, containers, volumes } = spec.template.spec;
        const [{ env, envFrom, volumeMounts, ...container }] = containers;
        const own = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]));
        const config = readConfig({ ...map, ...secret, ...own });
        expect(config).toMatchObject({ role: roles[index], publicUrl: 'https://ask.example.com' });
        expect(config.trustProxy).not.toBe(false);
        expect(config.files === undefined).toBe(roles[index] === 'all');
        expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(own.DRAIN_SECONDS) + 20);
        expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
        expect(container.securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        });
        expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
        const names = volumes.map(({ name }: { name: string }) => name);
        expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual(names);
        expect(JSON.stringify(envFrom)).toContain('wissen-footnote');
      }
      const labels = found.map(({ spec }) => spec.template.metadata.labels);
      expect(labels.map((each) => Object.entries(answering).every(([name, value]) => each[name] === value))).toEqual(
        roles.map((role) => role !== 'worker'),
      );
    },
  );

  test('what is missing or misspelt is refused in words', async () => {
    for (const name of ['secretName', 'files.url', 'search.url'])
      await expect(render(image)).rejects.toThrow(`- ${name}: `);
    await expect(render({ ...several, replicas: 3 })).rejects.toThrow('Additional property replicas');
    await expect(render({ ...several, files: { url: '/data' } })).rejects.toThrow('- files.url: ');
    await expect(render({ ...several, settings: { maxFileMb: '1' } })).rejects.toThrow(/^- settings/m);
    // More than the service takes, which would not start.
    await render({ ...several, web: { drainSeconds: 300 } });
    await expect(render({ ...several, web: { drainSeconds: 301 } })).rejects.toThrow('- web.drainSeconds: ');
  });

  test('its version is that of the service', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(readFileSync(join(chart, 'Chart.yaml'), 'utf8')).toContain(`appVersion: ${version}\n`);
  });
});
