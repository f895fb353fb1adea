import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import { startApp } from '../e2e/app.ts';

/** The admin of the company of `withCompany`. */
export const person = { email: 'bench@nordwind.example', password: 'seventeen quiet herons' };

/**
 * Signs a company up in a folder of its own, which is gone at the end. No server is running on it meanwhile, so that
 * `work` may fill the tables itself, and then ask by `askOverHttp`.
 */
export async function withCompany<T>(work: (dataDir: string, companyId: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  // As root the database runs as another user, who has to get at it.
  await chmod(dataDir, 0o755);
  try {
    const first = await startApp({ DATA_DIR: dataDir });
    const { user } = await createClient(first.url)
      .call('signUp', { companyName: 'Bench', ...person, timeZone: 'Europe/Berlin' })
      .finally(() => first.stop());
    return await work(dataDir, user.companyId);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Starts the server on the folder of `withCompany`, with the person who signed up. */
export async function askOverHttp<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const app = await startApp({ DATA_DIR: dataDir, ...forPrograms });
  try {
    const { idToken } = await createClient(app.url).call('signIn', person);
    return await work(createClient(app.url, idToken));
  } finally {
    await app.stop();
  }
}
