import type { Config } from '#server/config/config.ts';

/** More than any test needs. */
export const rates: Config['rates'] = {
  uploadsPerMinute: 10_000,
  signUpsPerHour: 10_000,
  signInsPerAddress: 10_000,
  signInsPerAccount: 10_000,
  resetsPerHour: 10_000,
  codesPerAddress: 10_000,
  invitationsPerHour: 10_000,
  refreshesPerMinute: 10_000,
  appRegistrationsPerHour: 10_000,
  appRequestsPerMinute: 10_000,
};
