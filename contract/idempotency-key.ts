import { z } from 'zod';

/**
 * The header `Idempotency-Key` of a call that takes one (`byKey`): any name for this try of it, a UUID for instance, of
 * 1 to 200 visible ASCII characters.
 */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,200}$/, {
  message: 'An Idempotency-Key has 1 to 200 visible ASCII characters.',
});

/** For so many hours the same key is answered with what was stored. */
export const idempotencyKeyHours = 24;
