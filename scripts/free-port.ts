import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of this machine that nobody listened on a moment ago. */
export async function freePort(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
