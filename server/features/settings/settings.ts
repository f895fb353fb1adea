import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Branding } from '#contract/calls/identity.ts';
import type { Entitlements } from '#contract/entitlements.ts';
import type { Handlers } from '#server/calls/handlers.ts';
import type { Config } from '#server/config/config.ts';
import type { Database, Tx } from '#server/db/db.ts';
import type { SendMail, Voice } from '#server/features/mail/mail.ts';
import { allowedAddresses, removeAllowedAddresses, saveAllowedAddresses } from './allowed-addresses.ts';
import { companyBranding, mountLogos, voiceOf } from './brand.ts';
import {
  companySettings,
  setDigest,
  setSecondFactorRequired,
  setSessionLength,
  updateBrand,
  updateCompany,
} from './company.ts';
import { mailDigests } from './digest.ts';

/** What a company decides about itself, and what the other features ask of it. */
export function createSettings({
  db,
  config: { branding: operator, publicUrl, brandHosts },
  log,
  entitlements,
  secondFactorsAreOurs,
}: {
  db: Database;
  config: Pick<Config, 'branding' | 'publicUrl' | 'brandHosts'>;
  log: Logger;
  /** What a company may do now. */
  entitlements: (tx: Tx, companyId: string) => Promise<Pick<Entitlements, 'features'>>;
  /** False where another service keeps the passwords, past which people could sign in. */
  secondFactorsAreOurs: boolean;
}) {
  const isAllowed = async (tx: Tx, companyId: string) =>
    (await entitlements(tx, companyId)).features.includes('white-label');
  return {
    calls: {
      getCompanySettings: (_, { actor }) => companySettings(db, actor),
      updateCompany: (change, { actor, ip }) => updateCompany(db, { ...actor, ip }, change),
      updateBrand: (change, { actor, ip }) => updateBrand(db, { ...actor, ip }, change),
      setSessionDays: (change, { actor, ip }) => setSessionLength(db, { ...actor, ip }, change),
      setSecondFactorRequired: ({ required }, { actor, ip }) =>
        setSecondFactorRequired(db, { ...actor, ip }, required, secondFactorsAreOurs),
      getAllowedAddresses: (_, { actor, ip }) => allowedAddresses(db, { ...actor, ip }),
      saveAllowedAddresses: (list, { actor, ip }) => saveAllowedAddresses(db, { ...actor, ip }, list),
      removeAllowedAddresses: (_, { actor, ip }) => removeAllowedAddresses(db, { ...actor, ip }),
      setDigest: (choice, { actor }) => setDigest(db, actor, choice),
    } satisfies Partial<Handlers>,

    /** How the product is shown to a company's people. */
    brandingOf: async (tx: Tx, companyId: string): Promise<Branding> =>
      companyBranding(tx, companyId, operator, await isAllowed(tx, companyId)),

    /** How it is shown under a host name, before it is known who asks: never fails, since a page is made of it. */
    async brandingAt(host: string): Promise<Branding> {
      const companyId = brandHosts.get(host);
      if (companyId === undefined) return operator;
      try {
        return await db.asCompany(companyId, async (tx) =>
          companyBranding(tx, companyId, operator, await isAllowed(tx, companyId)),
        );
      } catch (err) {
        log.warn({ err, host }, "the brand of a company's host name could not be read");
        return operator;
      }
    },

    /** In what and under which name they are mailed. */
    voiceOf: async (tx: Tx, companyId: string): Promise<Voice> =>
      voiceOf(tx, companyId, { operator, publicUrl, brandHosts, isAllowed: await isAllowed(tx, companyId) }),

    mountLogos: async (scope: FastifyInstance): Promise<void> => mountLogos(scope, db),

    /** The job `mail-digests`. */
    mailDigests: (sendMail: SendMail) => mailDigests({ db, sendMail, publicUrl }),
  };
}
