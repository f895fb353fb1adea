import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { entitlementsOf } from '#contract/entitlements.ts';
import { lastBackup } from '#server/backup/last.ts';
import { openAccess } from '#server/calls/access.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import { createLimits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import { forgetOlderData } from '#server/db/connect.ts';
import { sql } from '#server/db/drizzle.ts';
import { accessChanged } from '#server/features/documents/collections/access-changed.ts';
import { createDocuments } from '#server/features/documents/documents.ts';
import { usualUpkeep } from '#server/features/documents/processing/search-upkeep.ts';
import { createAuthenticate, type Paid } from '#server/features/identity/authenticate.ts';
import type { App, AppOptions } from './app-options.ts';
import type { Tx } from './db/db.ts';
import { createAnalytics } from './features/analytics/analytics.ts';
import { analyticsCalls } from './features/analytics/calls.ts';
import { analyticsJobs } from './features/analytics/jobs.ts';
import { agentShown, createChatAgent } from './features/answers/agent/agent.ts';
import { createAnswers } from './features/answers/answers.ts';
import { answerCalls, answerJobs } from './features/answers/calls.ts';
import { createApiKeys } from './features/api-keys/api-keys.ts';
import { createAppAuthentication, createKeyAuthentication } from './features/api-keys/authenticate-key.ts';
import { apiKeyCalls } from './features/api-keys/calls.ts';
import { createAuditLog } from './features/audit/log.ts';
import { paidUnder, subscriptionIn, subscriptionOf } from './features/billing/billing.ts';
import { billingCalls } from './features/billing/calls.ts';
import { createPayment } from './features/billing/payment.ts';
import { createCompanyEnd } from './features/company-end/company-end.ts';
import { createConnectedApps } from './features/connected-apps/connected-apps.ts';
import { createExports } from './features/export/export.ts';
import { identityCalls } from './features/identity/calls.ts';
import { createIdentity } from './features/identity/identity.ts';
import { identityJobs } from './features/identity/jobs.ts';
import { createPeople } from './features/identity/people.ts';
import { requireRecentSignIn } from './features/identity/recent-sign-in.ts';
import { setUpCode, setUpLink } from './features/identity/set-up.ts';
import { findPlanted } from './features/ingestion/planted/planted.ts';
import { createMail } from './features/mail/mail.ts';
import { retrievalCalls } from './features/retrieval/calls.ts';
import { nameToRead } from './features/retrieval/planted-orders.ts';
import { createRetrieval } from './features/retrieval/retrieval.ts';
import { createSettings } from './features/settings/settings.ts';
import { teamCalls } from './features/team/calls.ts';
import { seatCheck, seatsUsed } from './features/team/seats.ts';
import { createTeam } from './features/team/team.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { callLimits, questionLimits, uploadLimits } from './http/call-limits.ts';
import { callerOf } from './http/caller.ts';
import { createHttp, type HttpOptions } from './http/http.ts';
import { createLog } from './http/log.ts';
import { mountWebhooks } from './http/webhooks.ts';
import { enqueueAtStart } from './jobs/at-start.ts';
import { openJobs } from './jobs/jobs.ts';
import { leave } from './leave.ts';
import { createDisk, foldersOfUploads } from './lib/disk.ts';
import { txtResolver } from './lib/dns.ts';
import { createOutbound } from './lib/outbound.ts';
import { openSealer } from './lib/sealed.ts';
import { openPorts } from './open-ports.ts';
import { openProcessing } from './open-processing.ts';
import { openPayments } from './payments.ts';
import { secretFor } from './ports/identity/service-keys.ts';
import { mountOutbox } from './ports/mail/outbox-page.ts';

/** The only place that knows every part: opens the ports, makes the features, binds the calls. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = options.log ?? createLog(config.logLevel);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    return await open(config, { ...options, log }, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: Config,
  {
    log,
    searchUpkeep = usualUpkeep,
    simulator: simulatorOptions,
    limitsClock,
    resolveTxt = txtResolver(config.dnsServer),
    freeBytesAt,
    webhooks: hooked,
    ...timing
  }: AppOptions & { log: Logger },
  closers: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<App> {
  if (config.traces) closers.push((await import('./tracing/otlp.ts')).openTraces(config.traces, log));
  const opened = await openPorts(config, log, closers);
  const { db, files, provider, embeddings, search, mailer, shownOutbox, languageModel, secondReader, reranker } =
    opened;
  const processing = config.role === 'web' ? null : await openProcessing(config, log, closers);
  const jobs = await openJobs({ db, log, alone: config.databaseUrl === undefined, works: processing !== null });
  // Stopped before what they work with: jobs that start meanwhile would fail one after the other, and lose an attempt
  // each.
  closers.push(() => jobs.stop());
  const { payments, simulator, paymentClock, listening } = await openPayments(config, simulatorOptions, log, closers);
  const ports = {
    ...opened.names,
    payments: payments?.name ?? 'off',
    parsers: processing?.sandbox.isolation ?? 'none: web',
  };

  // Features
  const limits = createLimits(db, limitsClock);
  const sweeping = setInterval(() => limits.sweep().catch((err) => log.warn({ err }, 'limits not swept')), 3_600_000);
  closers.push(async () => clearInterval(sweeping));
  const entitled = async (tx: Tx, companyId: string) =>
    entitlementsOf(await subscriptionOf(tx, companyId), paymentClock(), config.billing);
  const secondFactorsAreOurs = provider.claimsAreOurs;
  const settings = createSettings({ db, config, log, entitlements: entitled, secondFactorsAreOurs });
  const mail = createMail({ db, jobs, mailer, config, voiceOf: settings.voiceOf });
  const { sendMail } = mail;
  const people = createPeople({ db, provider, jobs });
  const team = createTeam({
    db,
    jobs,
    limits,
    people,
    sendMail,
    seatsOf: async (tx, companyId) => (await entitled(tx, companyId)).seats,
    hasPaid: paidUnder(config.billing),
    accessChanged: (tx, companyId) => accessChanged(tx, { db, jobs }, companyId),
    config,
  });
  const setupCode = await setUpCode(config, (purpose) => secretFor(db, purpose));
  const payment = payments && createPayment({ db, jobs, payments, sendMail, config, log, clock: paymentClock });
  const sealer = await openSealer(config);
  const identity = createIdentity({
    db,
    provider,
    jobs,
    limits,
    config,
    deviceSecret: await secretFor(db, 'device'),
    sendMail,
    sealer,
    outbound: createOutbound({ allowed: config.outboundAllowed }),
    resolveTxt,
    requireSeat: seatCheck(entitled),
    seatsUsed,
    subscriptionOf,
    agentShown,
    brandingOf: settings.brandingOf,
    brandingAt: settings.brandingAt,
    setUpCode: setupCode,
  });
  const folders = foldersOfUploads(config.dataDir);
  const disk = createDisk({ folders, minFreeBytes: config.minFreeDiskBytes, log, free: freeBytesAt });
  const documents = createDocuments({
    db,
    jobs,
    files,
    search,
    embeddings,
    disk,
    linkKey: await secretFor(db, 'file-link'),
    sessionIsOpen: provider.sessionIsOpen,
    searchUpkeep,
    unfinished: opened.unfinished,
    sessionLocks: opened.sessionLocks,
    config,
  });
  const auditLog = createAuditLog({ db, config, log, provider, key: await secretFor(db, 'audit-link') });
  const linkKey = await secretFor(db, 'export-link');
  const exports = createExports({
    db,
    jobs,
    files,
    store: opened.exportFiles,
    disk,
    linkKey,
    sessionIsOpen: provider.sessionIsOpen,
    sendMail,
    config,
    log,
  });
  const companyEnd = createCompanyEnd({ db, jobs, sendMail, config, eraseUploads: documents.eraseUploads, payment });
  const agent = createChatAgent({ db, model: languageModel?.name ?? null });
  const retrieval = createRetrieval({ db, search, embeddings, reranker, wordsBytes: config.searchMemory.words, log });
  const writing = { model: languageModel, secondReader, savedAgent: agent.saved };
  const answers = createAnswers({ db, jobs, retrieval, ...writing, log });

  const guards = { entitled, requireRecentSignIn };
  const webhooks = createWebhooks({ db, jobs, sealer, sendMail, config, ...guards, ...hooked });
  const cookieKey = await secretFor(db, 'app-request');
  const apps = createConnectedApps({ db, limits, config, log, cookieKey });
  const handlers: Handlers = {
    ...identityCalls(identity, payment?.checkout.openAtSignUp ?? null),
    ...billingCalls({ db, limits, payment }),
    ...apiKeyCalls(createApiKeys({ db })),
    ...apps.calls,
    ...webhooks.calls,
    ...teamCalls(team),
    ...documents.calls,
    ...retrievalCalls({ db, retrieval }),
    ...answerCalls({ db, jobs, agent, answers, retrieval, count: questionLimits(limits, config) }),
    ...settings.calls,
    ...auditLog.calls,
    ...exports.calls,
    ...companyEnd.calls,
    ...analyticsCalls({ db, analytics: createAnalytics({ db, answers }) }),
  };
  const entitlements = (subscription: Paid | null) =>
    entitlementsOf(subscriptionIn(subscription), paymentClock(), config.billing);
  const acting = { db, entitlements, secondFactorsAreOurs };
  const byKey = createKeyAuthentication(acting);
  const authenticate = createAuthenticate({ db, verifier: provider, entitlements, byKey });
  const access = await openAccess(db);
  const mounts: HttpOptions['mounts'] = [
    settings.mountLogos,
    identity.singleSignOn.mountLogout,
    apps.mount,
    (scope) => auditLog.mountFiles(scope, access),
    (scope) => documents.mountFiles(scope, access),
    (scope) => exports.mount(scope, access),
    (scope) =>
      documents.mountUploads(scope, {
        callerOf: (request) => callerOf(request, authenticate),
        watchAccess: access.watch,
        count: uploadLimits(limits, config),
      }),
  ];
  if (payment) mounts.push(async (scope) => mountWebhooks(scope, payment));
  if (shownOutbox)
    mounts.push(async (scope) => mountOutbox(scope, { outbox: shownOutbox, name: config.branding.name }));

  const leaving = new AbortController();
  const http = await createHttp({
    config,
    log,
    handlers,
    authenticate,
    authenticateApp: createAppAuthentication(acting),
    limit: callLimits(limits, config),
    watchAccess: access.watch,
    observed: { disk, jobs: jobs.standing, lastBackupAt: async () => (await db.asSystem(lastBackup))?.madeAt ?? null },
    jwks: () => provider.jwks(),
    health: { ports, ready: () => db.asSystem(async (tx) => void (await tx.execute(sql`select 1`))) },
    mounts,
    brandingAt: settings.brandingAt,
    readable: { findPlanted, nameToRead },
    webRoot: fileURLToPath(new URL('../dist/web', import.meta.url)),
    leaving: leaving.signal,
    ...timing,
  });
  closers.push(() => http.close());

  if (processing) {
    await jobs.work({
      ...documents.jobs(processing),
      ...identityJobs({ db, provider, jobs, identity, sweepApps: apps.sweep }),
      'mail-invitation': team.mailInvitation,
      'erase-company': async ({ companyId, customerId }) => {
        if (customerId !== undefined) await payment?.closePages(customerId);
        await documents.eraseCompany(companyId);
        await exports.eraseCompany(companyId);
      },
      ...exports.jobs,
      ...webhooks.jobs,
      ...companyEnd.jobs,
      'send-mail': mail.deliver,
      'clear-mails': mail.clear,
      'mail-digests': () => settings.mailDigests(sendMail),
      ...auditLog.jobs,
      ...answerJobs(db),
      ...analyticsJobs({ db, sendMail, publicUrl: config.publicUrl, entitlements: entitled }),
      'sync-subscription': async ({ companyId }) => void (await payment?.sync(companyId)),
      'sync-subscriptions': async () => payment?.syncAll(),
    });
    await enqueueAtStart({ db, jobs, embeds: embeddings !== undefined });
  }
  closers.push(() => leave(leaving, config));

  return {
    http,
    db,
    jobs,
    ports,
    simulator,
    setUpLink: () => setUpLink(db, config.publicUrl, setupCode),
    async listen() {
      const address = await http.listen({ host: config.host, port: config.port });
      listening(address);
      if (config.databaseUrl === undefined) await forgetOlderData(config, log);
      return address;
    },
    close,
  };
}
