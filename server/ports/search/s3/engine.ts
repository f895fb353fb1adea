import { randomUUID } from 'node:crypto';
import { type Connection, connect, type Session } from '@lancedb/lancedb';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { checkStore } from '#server/ports/files/s3/check.ts';
import { clientOf } from '#server/ports/files/s3/client.ts';
import { clocksDiffer, skewed } from '#server/ports/files/s3/explain.ts';
import { nameOf, type S3Place } from '#server/ports/files/s3/place.ts';
import { boundedSession } from '../lance.ts';
import { firstLine } from './failing.ts';

/** How patient one is with the store. */
export interface Patience {
  /** How often each request is sent at most. */
  tries: number;
  /** A connection on which nothing comes for so long is given up. */
  idleMs: number;
}

export const usualPatience: Patience = { tries: 4, idleMs: 60_000 };

/** Connects the engine to a folder of the place. What others have changed there it looks for when it is asked to. */
export function engineAt(place: S3Place, patience: Patience, session: Session) {
  const storageOptions = engineSettings(place, patience);
  return (folder: string) => connect(`${nameOf(place)}${folder}`, { storageOptions, session });
}

/**
 * Does once what search will do with the place, and leaves nothing there.
 * @throws CannotStart in one sentence that says what to set
 */
export async function checkSearchPlace(place: S3Place, patience = usualPatience): Promise<void> {
  const client = clientOf(place, patience);
  try {
    await checkStore(client, place);
  } finally {
    client.destroy();
  }
  await checkEngine(place, engineAt(place, patience, boundedSession()));
}

/** Where the engine has a client of its own it is told what the other one is. */
function engineSettings(
  { endpoint, region, credentials, encryption }: S3Place,
  { idleMs, tries }: Patience,
): Record<string, string> {
  return {
    ...(endpoint !== undefined && {
      aws_endpoint: endpoint,
      aws_virtual_hosted_style_request: 'false',
      allow_http: String(endpoint.startsWith('http:')),
    }),
    ...(region !== undefined && { aws_region: region }),
    ...(credentials && {
      aws_access_key_id: credentials.accessKeyId,
      aws_secret_access_key: credentials.secretAccessKey,
    }),
    ...(encryption && { aws_server_side_encryption: encryption.algorithm }),
    ...(encryption?.keyId !== undefined && { aws_sse_kms_key_id: encryption.keyId }),
    connect_timeout: '5s',
    timeout: `${Math.ceil(idleMs / 1000)}s`,
    client_max_retries: String(tries - 1),
    client_retry_timeout: String(Math.ceil((idleMs * tries) / 1000)),
  };
}

/** The engine asks the store by a client of its own, which may trust other certificates, or find no keys. */
async function checkEngine(place: S3Place, open: (folder: string) => Promise<Connection>): Promise<void> {
  try {
    const connection = await open('.start');
    const name = `engine-${randomUUID()}`;
    const table = await connection.createTable(name, [{ key: 'a' }]);
    await table.add([{ key: 'b' }]);
    const count = await table.countRows();
    await connection.dropTable(name);
    connection.close();
    if (count !== 2) throw new Error(`it has ${count} of 2 rows`);
  } catch (error) {
    // The engine does not make up for clocks, as the other client does.
    if (String(error).includes(skewed)) throw new CannotStart(clocksDiffer(place), { cause: error });
    throw new CannotStart(
      `The search engine can't use ${nameOf(place)} (${firstLine(error)}): give it keys by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or a role, and an authority of its own by SSL_CERT_FILE, or leave SEARCH_URL out.`,
      { cause: error },
    );
  }
}
