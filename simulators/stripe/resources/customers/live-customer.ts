import { existing, invalidRequest } from '../../api/errors.ts';
import type { CustomerRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';

/** A customer who has not been deleted. */
export function liveCustomer(world: World, id: string, param = 'customer'): CustomerRecord {
  const record = existing(world.store.customers.get(id), 'customer', id, param);
  if (record.deleted) throw invalidRequest(`No such customer: '${id}'`, { code: 'resource_missing', param });
  return record;
}
