import { mutationOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { reloadSession } from './session.ts';

/** Asks for the end of the company; the session then says that it ends, and every page gives way to that. */
export const deleteCompany = mutationOptions({
  mutationFn: async (companyName: string) => {
    await call('deleteCompany', { companyName });
    await reloadSession();
  },
});

/** Takes it back. */
export const keepCompany = mutationOptions({
  mutationFn: async () => {
    await call('keepCompany', null);
    await reloadSession();
  },
});
