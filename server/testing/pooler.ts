import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/**
 * How a pooler shares its connections; `in-turn`: by transactions, two of them, and not the one that was given back
 * last.
 */
type PoolMode = 'session' | 'transaction' | 'in-turn' | 'statement';

/**
 * Passes on as PgBouncer does: sign-in by a connection of the client's own, and then, unless it is by `session`,
 * whatever it asks by the one that was given back last, until the server says that no transaction is open.
 * @param connection of the database behind it, by its socket
 */
export async function startPooler(connection: pg.PoolConfig, mode: PoolMode) {
  const { host = '' } = connection;
  const idle: Socket[] = [];
  const sockets: Socket[] = [];
  let pooled = 0;
  const server = createServer((client) => {
    const own = createConnection(join(host, '.s.PGSQL.5432'));
    sockets.push(client, own);
    let current: Socket | undefined = own;
    let isSignedIn = false;
    const use = (backend: Socket) => {
      current = backend;
      backend.removeAllListeners('data');
      backend.on('data', (bytes) => {
        // Ready for the next, and in no transaction.
        const isIdle = bytes.at(-6) === 'Z'.charCodeAt(0) && bytes.at(-1) === 'I'.charCodeAt(0);
        if (isIdle && mode !== 'session') {
          // That of a sign-in is used last: PgBouncer would not have opened it yet.
          if (backend !== own || isSignedIn) idle.push(backend);
          else if (mode !== 'in-turn' || ++pooled <= 2) idle.unshift(backend);
          isSignedIn = true;
          current = undefined;
        }
        client.write(bytes);
      });
    };
    use(own);
    client.on('data', (bytes) => {
      // A client's goodbye is not its server's.
      if (bytes.at(0) === 'X'.charCodeAt(0)) return client.end();
      if (mode === 'statement' && bytes.includes('begin')) return client.end(refusal('no transactions here'));
      if (!current) use((mode === 'in-turn' ? idle.shift() : idle.pop()) ?? own);
      current?.write(bytes);
    });
    for (const socket of [client, own]) socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    connection: { ...connection, host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** An error that ends the connection, as the protocol has it. */
function refusal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
