import { customType, timestamp } from '../drizzle.ts';

/** A moment, whatever the time zone of the session is. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const createdAt = () => instant('created_at').notNull().defaultNow();
