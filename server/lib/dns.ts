import { Resolver } from 'node:dns/promises';

/**
 * Looks up the texts of a name's TXT records, which one record may hold in parts.
 * @param server the name server to ask; absent: the system's
 * @returns throws where there is no such name, or no answer in time
 */
export function txtResolver(server: string | undefined): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  return async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
}

/**
 * Looks up all addresses of a name by asking name servers. The system's own way (`lookup`) waits in one of the four
 * threads that also read files and check passwords, and can't be told to stop: while a name server is silent, a handful
 * of names that anybody has made up would stop everybody. It also knows names of the machine and of its network that
 * are nobody's to try.
 * @param server the name server to ask; absent: the system's
 * @returns throws where the name has no address, or there is no answer until `signal` is aborted
 */
export function addressResolver(server?: string): (name: string, signal: AbortSignal) => Promise<string[]> {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (server !== undefined) resolver.setServers([server]);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (found.length === 0 && four.status === 'rejected') throw four.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
