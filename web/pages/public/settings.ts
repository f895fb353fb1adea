import { useEffect, useState } from 'react';
import type { CallOutput } from '#contract/calls.ts';
import { readSettings, type Settings } from '#web/api/settings.ts';

export type Price = CallOutput<'getPlans'>['plans'][number];

/** The brand, and whether payment and sign-up are on; null until known. */
export function useSettings(): Settings | null {
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    readSettings()
      .then(setSettings)
      .catch((error: unknown) => console.warn('The settings could not be read.', error));
  }, []);
  return settings;
}
