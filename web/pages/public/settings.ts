import { useEffect, useState } from 'react';
import type { CallOutput } from '#contract/calls.ts';
import { callAnonymously } from '#web/api/call.ts';

export type Settings = CallOutput<'getSettings'>;
export type Price = CallOutput<'getPlans'>['plans'][number];

let reading: Promise<Settings> | null = null;

/** Read once for all public pages. @throws AppError when the server can't be reached */
export function readSettings(): Promise<Settings> {
  reading ??= callAnonymously('getSettings', null).catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}

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
