import type { JobName } from './registry.ts';

/** Every recurring job, as cron has it (UTC). Whichever process is first runs it. */
export const schedule: { [Name in JobName]?: string } = {
  sweep: '*/5 * * * *',
  'count-questions': '* * * * *',
  'erase-questions': '10 4 * * *',
  'clear-replies': '25 * * * *',
  'mail-reports': '5 * * * *',
  'clear-identities': '*/5 * * * *',
  'embed-left-out': '30 2 * * *',
  'look-for-orders': '45 2 * * *',
  'end-unconfirmed': '35 * * * *',
  'keep-identity': '20 * * * *',
  'end-companies': '*/5 * * * *',
  'clear-exports': '*/5 * * * *',
  'clear-mails': '40 3 * * *',
  'seal-audit': '* * * * *',
  'clear-audit': '50 3 * * *',
  'wake-webhooks': '* * * * *',
  'mail-digests': '10 6 * * *',
  'sync-subscriptions': '17 3 * * *',
};
