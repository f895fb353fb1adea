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
