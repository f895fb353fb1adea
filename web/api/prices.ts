import type { CallOutput } from '#contract/calls.ts';
import { createResource } from '#web/lib/resource.ts';
import { callAnonymously } from './call.ts';

export type Price = CallOutput<'getPlans'>['plans'][number];

/** The prices on sale, for whoever looks at them. */
export const prices = createResource(async () => (await callAnonymously('getPlans', null)).plans);
