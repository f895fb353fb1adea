import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/postgres.ts';
import { refuseTransactionPooler } from './pooler.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a database that is reached directly is taken', async () => {
  await refuseTransactionPooler(database.connection);
});

test('a pooler that keeps a session to itself is taken, one that gives each transaction another is refused', async () => {
  for (const mode of ['session', 'transaction'] as const) {
    const pooler = await startPooler(mode);
    const opened = refuseTransactionPooler({ ...database.connection, host: '127.0.0.1', port: pooler.port });
    if (mode === 'session') await opened;
    else await expect(opened).rejects.toThrow('pool_mode = session');
    pooler.close();
  }
});

/**
 * Passes on as PgBouncer does: sign-in by a connection of the client's own, and then, with `transaction`, whatever it
 * asks by the one that was given back last, until the server says that no transaction is open.
 */
async function startPooler(mode: 'session' | 'transaction') {
  const { host = '' } = database.connection;
  const idle: Socket[] = [];
  const sockets: Socket[] = [];
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
        if (isIdle && mode === 'transaction') {
          // That of a sign-in is used last: PgBouncer would not have opened it yet.
          if (backend === own && !isSignedIn) idle.unshift(backend);
          else idle.push(backend);
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
      if (!current) use(idle.pop() ?? own);
      current?.write(bytes);
    });
    for (const socket of [client, own]) socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
