import type Stripe from 'stripe';
import type { EventRecord } from './records.ts';
import { newId } from './store.ts';
import type { World } from './world.ts';

const keptSeconds = 30 * 86_400;

/** Writes an event down and has it sent. The object is kept as it is now: later changes don't reach it. */
export function emit(world: World, type: Stripe.Event.Type, object: object, previous: object | null = null): void {
  const now = world.clock.now();
  forgetOld(world, now);
  const event: EventRecord = {
    id: newId('evt'),
    created: now,
    type,
    object: JSON.parse(JSON.stringify(object)),
    previous: previous && JSON.parse(JSON.stringify(previous)),
    request: { ...world.request },
    undelivered: [],
  };
  world.store.events.set(event.id, event);
  world.onEvent(event.id);
}

/** Runs the change and, where the object looks different afterwards, tells of it with its values from before. */
export function emitChange<T extends object>(
  world: World,
  type: Stripe.Event.Type,
  serialize: () => T,
  change: () => void,
): void {
  const before: Record<string, unknown> = JSON.parse(JSON.stringify(serialize()));
  change();
  const after: Record<string, unknown> = JSON.parse(JSON.stringify(serialize()));
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (changed.length === 0) return;
  emit(world, type, after, Object.fromEntries(changed.map((key) => [key, before[key] ?? null])));
}

function forgetOld(world: World, now: number): void {
  for (const event of world.store.events.values()) {
    if (event.created > now - keptSeconds) return;
    world.store.events.delete(event.id);
  }
}
