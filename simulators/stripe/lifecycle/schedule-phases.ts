import { schedule as serialize } from '../resources/schedules/serialize.ts';
import { emit } from '../world/events.ts';
import type { ScheduleRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { cancelNow } from './collection.ts';
import { subscriptionChange } from './invoicing.ts';
import { anchorFrom, changeItems, itemsOfPhase } from './item-changes.ts';

/** The end of a phase: the next one comes into force, or the schedule is done. */
export function endPhase(world: World, schedule: ScheduleRecord): void {
  const subscription = world.store.subscriptions.get(schedule.subscription ?? '');
  const next = schedule.phases[schedule.phase + 1];
  if (!subscription) {
    schedule.status = 'completed';
    return;
  }
  if (!next) {
    if (schedule.endBehavior === 'release') {
      releaseSchedule(world, schedule);
      return;
    }
    schedule.status = 'completed';
    schedule.completedAt = world.clock.now();
    emit(world, 'subscription_schedule.completed', serialize(world, schedule));
    cancelNow(world, subscription, 'cancellation_requested');
    return;
  }
  schedule.phase += 1;
  const items = itemsOfPhase(subscription, next.items);
  if (world.clock.now() < subscription.periodEnd) {
    changeItems(world, subscription, { items, proration: next.proration, behavior: 'allow_incomplete' });
  } else {
    // The period ends at this very moment: its renewal follows, and charges what is now in force.
    subscriptionChange(world, subscription, () => {
      subscription.anchor = anchorFrom(world, subscription, items, subscription.periodEnd);
      subscription.items = items;
    });
  }
  emit(world, 'subscription_schedule.updated', serialize(world, schedule));
}

/** Ends a schedule and leaves its subscription as it is. */
export function releaseSchedule(world: World, schedule: ScheduleRecord): void {
  const subscription = world.store.subscriptions.get(schedule.subscription ?? '');
  schedule.status = 'released';
  schedule.releasedAt = world.clock.now();
  schedule.releasedSubscription = schedule.subscription;
  schedule.subscription = null;
  if (subscription)
    subscriptionChange(world, subscription, () => {
      subscription.schedule = null;
    });
  emit(world, 'subscription_schedule.released', serialize(world, schedule));
}
