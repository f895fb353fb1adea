import { test as base } from 'vitest';
import { type Client, createClient } from '#client/client.ts';
import type { AppOptions } from '#server/app-options.ts';
import type { Config } from '#server/config/config.ts';
import { type Person, startTestApp, type TestApp } from './app.ts';
import { type RawTus, rawTus } from './tus.ts';

/** A company of the test's own, seen by its admin, who has just signed up. */
export interface Company {
  id: string;
  name: string;
  /** The app that it is on, which all tests of the file share. */
  app: TestApp;
  admin: Person;
  /** The admin's. */
  token: string;
  client: Client;
  /** Uploads request by request. */
  tus: RawTus;
}

/** How the app of a file starts, where that is not as usual. */
interface Settings {
  config?: Partial<Config>;
  options?: AppOptions;
}

/**
 * A test that may take `app`, one for all tests of its file, and `company`, one of its own. Each is made when it is
 * asked for, and ended by itself.
 */
export const test = companyTest();

/** The same, with an app that starts otherwise than usual. */
export function companyTest(settings: Settings = {}) {
  return base
    .extend('settings', { scope: 'file' }, settings)
    .extend('app', { scope: 'file' }, async ({ settings: { config, options } }, { onCleanup }) => {
      const app = await startTestApp(config, options);
      onCleanup(() => app.close());
      return app;
    })
    .extend('company', ({ app }) => newCompany(app));
}

/** One more company of the app. */
export async function newCompany(app: TestApp): Promise<Company> {
  const { company, admin, token } = await app.signUp();
  return { ...company, app, admin, token, client: createClient(app.url, token), tus: rawTus(app, token) };
}
