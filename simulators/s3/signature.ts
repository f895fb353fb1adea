import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { S3Error } from './error.ts';

/** Who may ask, by the id of their key. */
export interface S3User {
  secretAccessKey: string;
  /** Actions that are refused, such as `s3:PutObject`. */
  mayNot?: readonly string[];
}

const scheme =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const maxSkewMs = 15 * 60_000;

/**
 * Checks Amazon's signature, version 4, of a request whose whole body was read.
 * @param now by the clock of the server
 * @throws S3Error as Amazon answers
 */
export function signer(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  { users, region, now }: { users: ReadonlyMap<string, S3User>; region: string; now: Date },
): S3User {
  const [, id = '', day = '', asked = '', names = '', signature = ''] = scheme.exec(headers.authorization ?? '') ?? [];
  if (id === '') throw new S3Error(403, 'AccessDenied');
  const user = users.get(id);
  if (!user) throw new S3Error(403, 'InvalidAccessKeyId');
  if (asked !== region)
    throw new S3Error(400, 'AuthorizationHeaderMalformed', { Region: region }, { 'x-amz-bucket-region': region });
  const date = String(headers['x-amz-date']);
  if (Math.abs(timeOf(date) - now.getTime()) > maxSkewMs) throw new S3Error(403, 'RequestTimeTooSkewed');

  const digest = String(headers['x-amz-content-sha256']);
  const [path = '', query = ''] = url.split('?');
  const asSigned = [
    method,
    path,
    query
      .split('&')
      .filter((each) => each !== '')
      .map((each) => (each.includes('=') ? each : `${each}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    digest,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${asked}/s3/aws4_request`, sha256(asSigned)].join('\n');
  const key = [day, asked, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${user.secretAccessKey}`);
  if (hmac(key, toSign).toString('hex') !== signature) throw new S3Error(403, 'SignatureDoesNotMatch');
  // Bodies that are signed piece by piece are not spoken here.
  if (digest !== sha256(body)) throw new S3Error(400, 'XAmzContentSHA256Mismatch');
  return user;
}

function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
