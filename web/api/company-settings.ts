import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts';
import { call } from './call.ts';
import { showChanged } from './query-client.ts';
import { reloadSessionSoon } from './session.ts';

/** What the company has decided about itself, and what the person is mailed about. */
export type CompanySettings = CallOutput<'getCompanySettings'>;

export const companySettingsQuery = queryOptions({
  queryKey: ['company-settings'],
  queryFn: ({ signal }) => call('getCompanySettings', null, { signal }),
});

type Setting = Extract<
  CallName,
  'updateCompany' | 'updateBrand' | 'setSessionDays' | 'setSecondFactorRequired' | 'setDigest'
>;

function saving<Name extends Setting>(name: Name) {
  return mutationOptions({
    mutationFn: async (input: CallInput<Name>) => {
      const settings: CompanySettings = await call(name, input);
      await showChanged(companySettingsQuery, settings);
      // Names, logo and colour stand on every page.
      if (name === 'updateCompany' || name === 'updateBrand') reloadSessionSoon();
      return settings;
    },
  });
}

/** The company's name, time zone and language of mails. */
export const updateCompany = saving('updateCompany');

/** Its own name for the product, logo and colour. */
export const updateBrand = saving('updateBrand');

/** Whether everybody has to have a second factor. */
export const setSecondFactorRequired = saving('setSecondFactorRequired');

export const setSessionDays = saving('setSessionDays');

/** What the person is mailed about. */
export const setDigest = saving('setDigest');
