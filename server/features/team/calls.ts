import type { Database } from '#server/db/db.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listUsers } from './team.ts';

export function teamCalls(db: Database): Pick<Handlers, 'listUsers'> {
  return {
    listUsers: async (_input, { actor }) => db.asCompany(actor.companyId, listUsers),
  };
}
