import { checkoutSession, lineItemList } from '../resources/checkout-sessions/serialize.ts';
import { customer } from '../resources/customers/serialize.ts';
import { invoice } from '../resources/invoices/serialize.ts';
import { paymentMethod } from '../resources/payment-methods/serialize.ts';
import { product } from '../resources/products/serialize.ts';
import { schedule } from '../resources/schedules/serialize.ts';
import { subscription } from '../resources/subscriptions/serialize.ts';
import type { World } from '../world/world.ts';
import { invalidRequest } from './errors.ts';

/** Puts whole objects in the place of ids, along paths such as `data.latest_invoice`. */
export function expand(world: World, body: object, paths: string[]): unknown {
  let expanded: unknown = JSON.parse(JSON.stringify(body));
  for (const path of paths) expanded = along(world, expanded, path.split('.'), path);
  return expanded;
}

function along(world: World, value: unknown, [key, ...rest]: string[], path: string): unknown {
  const at = typeof value === 'string' ? objectOf(world, value) : value;
  if (key === undefined || at === null || at === undefined) return at ?? value;
  if (Array.isArray(at)) return at.map((each) => along(world, each, [key, ...rest], path));
  if (typeof at !== 'object') return at;
  const record: Record<string, unknown> = { ...at };
  if (key === 'line_items' && typeof record.id === 'string') {
    const session = world.store.checkouts.get(record.id);
    if (session) record.line_items = JSON.parse(JSON.stringify(lineItemList(world, session)));
  }
  if (!(key in record)) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  record[key] = along(world, record[key], rest, path);
  return record;
}

/** The object of an id; the id itself where the simulator keeps no such object. */
function objectOf(world: World, id: string): unknown {
  const { store } = world;
  const found =
    serialized(store.customers.get(id), customer) ??
    serialized(store.products.get(id), product) ??
    serialized(store.paymentMethods.get(id), paymentMethod) ??
    serialized(store.subscriptions.get(id), (record) => subscription(world, record)) ??
    serialized(store.invoices.get(id), (record) => invoice(world, record)) ??
    serialized(store.schedules.get(id), (record) => schedule(world, record)) ??
    serialized(store.checkouts.get(id), (record) => checkoutSession(world, record));
  return found === undefined ? id : JSON.parse(JSON.stringify(found));
}

function serialized<Row>(row: Row | undefined, serialize: (row: Row) => object): object | undefined {
  return row === undefined ? undefined : serialize(row);
}
