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
  backup: { enabled: true, claimName: 'backups', secretName: 'passphrase' },
};
/** The service is away, and what was backed up comes back. */
const restoring = { ...everything, restore: { folder: 'wissen-footnote-backup-29012345' } };
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
    const all = [several, everything, restoring, single];
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

  test('a backup is made each night, by one job at a time, onto a volume of its own', async () => {
    const rendered = await render(everything);
    const job = rendered.find(({ kind }) => kind === 'CronJob');
    expect(job).toMatchObject({
      metadata: { name: 'wissen-footnote-backup' },
      spec: { schedule: '30 2 * * *', concurrencyPolicy: 'Forbid' },
    });
    const { spec } = job?.spec.jobTemplate.spec.template ?? {};
    const [{ args, ...container }] = spec.containers;
    // By the job's name: one that is tried again begins anew over what the try before has left.
    expect(args).toEqual(['backup', '/backups/$(JOB)']);
    expect(container).toMatchObject({ env: expect.arrayContaining([expect.objectContaining({ name: 'JOB' })]) });
    expect(container).not.toHaveProperty('readinessProbe');
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'passphrase' } });
    expect(container.volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
    expect(spec.volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'backups' } });
    expect(spec.restartPolicy).toBe('Never');
    const map = rendered.find(({ kind }) => kind === 'ConfigMap')?.data;
    expect(readConfig({ ...map, ...secret, BACKUP_PASSPHRASE: 'seven quiet lanterns' }).files).toBeDefined();
    // Who answers people has neither its passphrase nor its place.
    for (const each of deployments(rendered)) expect(JSON.stringify(each)).not.toMatch(/passphrase|backups/);
    // What Kubernetes puts behind the name has room, however long that of the release is.
    const long = await helm.run('template', 'w'.repeat(53), chart, ...given(everything));
    const names = parseAllDocuments(long).flatMap((document) => document.toJS() ?? []);
    expect(names.find(({ kind }) => kind === 'CronJob').metadata.name.length).toBeLessThanOrEqual(52);
  });

  test('a restore is made by a job while the service is away, and makes no backups meanwhile', async () => {
    const restored = await render(restoring);
    expect(deployments(restored).map(({ spec }) => spec.replicas)).toEqual([0, 0]);
    expect(kinds(restored).join()).not.toMatch(/CronJob|Autoscaler/);
    const { spec } = restored.find(({ kind }) => kind === 'Job')?.spec.template ?? {};
    expect(spec.containers[0]).toMatchObject({
      args: ['restore', '/backups/wissen-footnote-backup-29012345', '--ledger', '/ledger/erased.txt'],
      envFrom: expect.arrayContaining([{ secretRef: { name: 'passphrase' } }]),
    });
    const without = await render({ ...restoring, restore: { folder: 'one', ledger: '' } });
    const job = without.find(({ kind }) => kind === 'Job');
    expect(job?.spec.template.spec.containers[0].args).toEqual(['restore', '/backups/one', '--without-ledger']);
  });

  test('a backup that has no place, no passphrase or a database of its own pod is refused', async () => {
    const backup = { enabled: true, claimName: 'backups', secretName: 'passphrase' };
    await expect(render({ ...several, backup: { enabled: true } })).rejects.toThrow(
      /- backup\.claimName: [\s\S]*- backup\.secretName: /,
    );
    await expect(render({ ...several, restore: { folder: 'one' } })).rejects.toThrow('- backup.claimName: ');
    await expect(render({ ...several, backup, restore: { folder: '../one' } })).rejects.toThrow('- restore.folder: ');
    await expect(render({ ...several, backup: { ...backup, schedule: 'daily at two' } })).rejects.toThrow(
      '- backup.schedule: ',
    );
    // Nobody but its own pod reaches the embedded database.
    await expect(render({ ...single, backup })).rejects.toThrow('- backup.enabled: ');
  });

  test('what is missing or misspelt is refused in words', async () => {
    for (const name of ['secretName', 'files.url', 'search.url'])
      await expect(render(image)).rejects.toThrow(`- ${name}: `);
    await expect(render({ ...several, replicas: 3 })).rejects.toThrow('Additional property replicas');
    await expect(render({ ...several, files: { url: '/data' } })).rejects.toThrow('- files.url: ');
    await expect(render({ ...several, settings: { maxFileMb: '1' } })).rejects.toThrow(/^- settings/m);
    // The chart's own: its probes look at this port, its volumes are at this folder, and pods have these of their own.
    for (const name of ['PORT', 'HOST', 'DATA_DIR', 'ROLE', 'DRAIN_SECONDS'])
      await expect(render({ ...several, settings: { [name]: '1' } })).rejects.toThrow(/^- settings/m);
    // What Kubernetes reads as an amount, and no other.
    for (const size of ['50Gi', '512Ki', '1k', '1.5G', '.5Gi', '1e9', '1E3', '100m'])
      await render({ ...single, single: { storage: { size } } });
    for (const size of ['50ki', '50KI', '1K', '1mi', '1..5Gi', '50GB', '50 Gi', 'e9', ''])
      await expect(render({ ...single, single: { storage: { size } } })).rejects.toThrow('- single.storage.size: ');
    // More than the service takes, which would not start.
    await render({ ...several, web: { drainSeconds: 300 } });
    await expect(render({ ...several, web: { drainSeconds: 301 } })).rejects.toThrow('- web.drainSeconds: ');
  });

  test('its version is that of the service', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(readFileSync(join(chart, 'Chart.yaml'), 'utf8')).toContain(`appVersion: ${version}\n`);
  });
});
