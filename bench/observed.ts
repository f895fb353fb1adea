import { readFileSync } from 'node:fs';
import { type Client, createClient, forPrograms } from '#client/client.ts';
import { type RunningApp, startApp } from '../e2e/app.ts';

/** The product in a process of its own, with a company, looked at from outside. */
export interface ObservedApp {
  url: string;
  pid: number;
  idToken: string;
  client: Client;
  /** Resident memory now, and the most that it was while the work ran, in bytes (Linux; 0 elsewhere). */
  memoryDuring(work: () => Promise<void>): Promise<{ before: number; most: number }>;
  /** How much later than asked for the event loop got to its timers while the work ran, in milliseconds. */
  delayDuring(work: () => Promise<void>): Promise<{ p50: number; p99: number }>;
  stop(): Promise<void>;
}

const lookEveryMs = 50;
/** The metrics' timer asks to be called this often; what is measured is the time between two calls. */
const timerMs = 10;

export async function startObservedApp(settings: Record<string, string> = {}): Promise<ObservedApp> {
  const app = await startApp({ ...forPrograms, ...settings });
  const { idToken } = await createClient(app.url).call('signUp', {
    companyName: 'Bench',
    email: 'bench@nordwind.example',
    password: 'seventeen quiet herons',
  });
  return {
    url: app.url,
    pid: app.pid,
    idToken,
    client: createClient(app.url, idToken),
    async memoryDuring(work) {
      const before = memoryOf(app);
      let most = before;
      const looking = setInterval(() => {
        most = Math.max(most, memoryOf(app));
      }, lookEveryMs);
      await work().finally(() => clearInterval(looking));
      return { before, most: Math.max(most, memoryOf(app)) };
    },
    async delayDuring(work) {
      // Asking for the figures starts them anew.
      await delays(app);
      await work();
      return delays(app);
    },
    stop: () => app.stop(),
  };
}

async function delays(app: RunningApp): Promise<{ p50: number; p99: number }> {
  const metric = await metricsOf(app);
  const figure = (name: string) => metric(`nodejs_eventloop_lag_${name}_seconds`);
  return { p50: figure('p50') * 1000 - timerMs, p99: figure('p99') * 1000 - timerMs };
}

/** How long processors have worked for a server's own process since its start, in milliseconds. */
export async function processorOf(app: Pick<RunningApp, 'url'>): Promise<number> {
  return (await metricsOf(app))('process_cpu_seconds_total') * 1000;
}

async function metricsOf({ url }: Pick<RunningApp, 'url'>): Promise<(name: string) => number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
}

/** How much memory a server has now, in bytes (Linux; 0 elsewhere). */
export function memoryOf({ pid }: Pick<RunningApp, 'pid'>): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
