import type Stripe from 'stripe';
import { z } from 'zod';
import { existing, invalidRequest } from '../../api/errors.ts';
import { flag, metadata, params, text, whole } from '../../api/form.ts';
import { having, merged, page, paging, route } from '../../api/route.ts';
import { addIntervals } from '../../lifecycle/calendar.ts';
import { cancelNow } from '../../lifecycle/collection.ts';
import { priceOf, subscriptionChange } from '../../lifecycle/invoicing.ts';
import { changeItems, itemsOfPhase } from '../../lifecycle/item-changes.ts';
import { releaseSchedule } from '../../lifecycle/schedule-phases.ts';
import { emit } from '../../world/events.ts';
import type { PhaseRecord, ScheduleRecord } from '../../world/records.ts';
import { newId } from '../../world/store.ts';
import type { World } from '../../world/world.ts';
import { prorationBehavior } from '../subscriptions/subscription-items.ts';
import { schedule as serialize } from './serialize.ts';

const phase = z.strictObject({
  items: z.array(z.strictObject({ price: text, quantity: whole.pipe(z.int().min(1)).default(1) })).min(1),
  start_date: z.union([z.literal('now'), whole]).optional(),
  end_date: z.union([z.literal('now'), whole]).optional(),
  duration: z
    .strictObject({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: whole.pipe(z.int().min(1)).default(1),
    })
    .optional(),
  proration_behavior: prorationBehavior.default('create_prorations'),
});

export const scheduleRoutes = [
  route(
    'POST',
    '/v1/subscription_schedules',
    params<Stripe.SubscriptionScheduleCreateParams>()({ from_subscription: text, metadata: metadata.optional() }),
    (world, input) => {
      const id = input.from_subscription;
      const subscription = existing(world.store.subscriptions.get(id), 'subscription', id, 'from_subscription');
      if (subscription.endedAt !== null) throw invalidRequest('A canceled subscription can not be scheduled.');
      if (subscription.schedule !== null) {
        throw invalidRequest(
          `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}`,
        );
      }
      const record: ScheduleRecord = {
        id: newId('sub_sched'),
        created: world.clock.now(),
        customer: subscription.customer,
        subscription: id,
        releasedSubscription: null,
        status: 'active',
        endBehavior: subscription.cancelAtPeriodEnd ? 'cancel' : 'release',
        phases: [
          {
            start: subscription.periodStart,
            end: subscription.periodEnd,
            items: subscription.items.map(({ price, quantity }) => ({ price, quantity })),
            proration: 'create_prorations',
          },
        ],
        phase: 0,
        metadata: merged({}, input.metadata),
        canceledAt: null,
        completedAt: null,
        releasedAt: null,
      };
      world.store.schedules.set(record.id, record);
      subscriptionChange(world, subscription, () => {
        subscription.schedule = record.id;
      });
      emit(world, 'subscription_schedule.created', serialize(world, record));
      return serialize(world, record);
    },
  ),

  route('GET', '/v1/subscription_schedules/:id', z.strictObject({}), (world, _input, id) =>
    serialize(world, known(world, id)),
  ),

  route(
    'POST',
    '/v1/subscription_schedules/:id',
    params<Stripe.SubscriptionScheduleUpdateParams>()({
      phases: z.array(phase).min(1).optional(),
      end_behavior: z.enum(['release', 'cancel']).optional(),
      proration_behavior: prorationBehavior.default('create_prorations'),
      metadata: metadata.optional(),
    }),
    (world, input, id) => {
      const record = active(world, id);
      if (input.phases) setPhases(world, record, input.phases, input.proration_behavior);
      record.endBehavior = input.end_behavior ?? record.endBehavior;
      record.metadata = merged(record.metadata, input.metadata);
      emit(world, 'subscription_schedule.updated', serialize(world, record));
      return serialize(world, record);
    },
  ),

  route(
    'POST',
    '/v1/subscription_schedules/:id/release',
    z.strictObject({ preserve_cancel_date: flag.optional() }),
    (world, _input, id) => {
      const record = active(world, id);
      releaseSchedule(world, record);
      return serialize(world, record);
    },
  ),

  route('POST', '/v1/subscription_schedules/:id/cancel', z.strictObject({}), (world, _input, id) => {
    const record = active(world, id);
    const subscription = world.store.subscriptions.get(record.subscription ?? '');
    if (subscription) cancelNow(world, subscription, 'cancellation_requested');
    return serialize(world, record);
  }),

  route(
    'GET',
    '/v1/subscription_schedules',
    params<Stripe.SubscriptionScheduleListParams>()({ ...paging, customer: text.optional() }),
    (world, input) => {
      const found = having(world.store.schedules.values(), { customer: input.customer });
      return page(found, input, '/v1/subscription_schedules', (each) => serialize(world, each));
    },
  ),
];

/**
 * Sets the phases anew: the first must be the one that is in force, each later one begins where its predecessor ends.
 */
function setPhases(
  world: World,
  record: ScheduleRecord,
  given: z.infer<typeof phase>[],
  proration: PhaseRecord['proration'],
): void {
  const now = world.clock.now();
  const current = record.phases[record.phase];
  const subscription = world.store.subscriptions.get(record.subscription ?? '');
  if (!current || !subscription) return;
  const phases: PhaseRecord[] = [];
  for (const [index, each] of given.entries()) {
    for (const item of each.items) priceOf(world, item);
    const before = phases.at(-1);
    const asked = each.start_date === 'now' ? now : each.start_date;
    if (index === 0 && asked !== current.start) {
      throw invalidRequest(
        'The subscription schedule update is missing at least one phase with a `start_date` to anchor end dates to.',
        {
          param: 'phases[0][start_date]',
        },
      );
    }
    const start = before?.end ?? asked ?? now;
    if (asked !== undefined && asked !== start) {
      throw invalidRequest('Phases must follow each other without gaps.', { param: `phases[${index}][start_date]` });
    }
    if (each.end_date !== undefined && each.duration) {
      throw invalidRequest('A phase takes `end_date` or `duration`, not both.', { param: `phases[${index}]` });
    }
    const { recurring } = priceOf(world, each.items[0] ?? { price: '' });
    const length = each.duration
      ? { interval: each.duration.interval, count: each.duration.interval_count }
      : (recurring ?? { interval: 'month' as const, count: 1 });
    const end = each.end_date === 'now' ? now : (each.end_date ?? addIntervals(start, length.interval, length.count));
    if (end <= start) throw invalidRequest('A phase must end after it starts.', { param: `phases[${index}]` });
    phases.push({ start, end, items: each.items, proration: each.proration_behavior });
  }
  record.phases = phases;
  record.phase = 0;
  const first = phases[0];
  if (first && JSON.stringify(first.items) !== JSON.stringify(current.items)) {
    changeItems(world, subscription, {
      items: itemsOfPhase(subscription, first.items),
      proration,
      behavior: 'allow_incomplete',
    });
  }
}

function known(world: World, id: string): ScheduleRecord {
  return existing(world.store.schedules.get(id), 'subscription_schedule', id);
}

function active(world: World, id: string): ScheduleRecord {
  const record = known(world, id);
  if (record.status !== 'active') {
    throw invalidRequest(
      `You cannot change a subscription schedule that is currently in the \`${record.status}\` status.`,
    );
  }
  return record;
}
