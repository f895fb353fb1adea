import { z } from 'zod';

const moment = z.iso.datetime();

/** Whether a text names a moment in UTC, as `2026-01-31T10:00:00.000Z`, of a day that there is. */
export function isMoment(text: string): boolean {
  return moment.safeParse(text).success;
}
