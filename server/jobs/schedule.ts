import type { JobName } from './registry.ts';

/** Every recurring job, as cron has it (UTC). Whichever process is first runs it. */
export const schedule: { [Name in JobName]?: string } = {
  sweep: '*/5 * * * *',
  'sync-subscriptions': '17 3 * * *',
};
