import { S3ServiceException } from '@aws-sdk/client-s3';
import { CannotStart } from '#server/db/postgres/cannot-start.ts';
import { nameOf, type S3Place, settingOf } from './place.ts';

/** What the store calls an error; of one that never reached it what the system does. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

/** The status that the store answered with. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** What the protocol always sends and its types leave open. */
export function setOf<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the file store left out what S3 always says');
  return value;
}

const certificates =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/;
const unknownKeys = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
];

/** What the store calls it where the time of a request is not its own. */
export const skewed = 'RequestTimeTooSkewed';

/** What to say where the store refuses the time of a request. */
export function clocksDiffer({ endpoint }: S3Place): string {
  return `The clock of this machine and that of ${endpoint ?? "Amazon's S3"} differ too much: set both by a time server.`;
}

/**
 * Why nothing can be kept there, in one sentence that says what to set.
 * @param doing the right that was used, as a policy names it
 */
export function cannotStart(error: unknown, place: S3Place, doing: string): CannotStart {
  if (error instanceof CannotStart) return error;
  return new CannotStart(sentence(error, place, doing), { cause: error });
}

function sentence(error: unknown, place: S3Place, doing: string): string {
  const code = codeOf(error);
  const status = statusOf(error);
  const where = place.endpoint ?? "Amazon's S3";
  const said = error instanceof Error ? error.message : String(error);
  const region = regionIn(error);
  if (certificates.test(code))
    return `The certificate of S3_ENDPOINT ${where} is not trusted (${code}): set S3_ENDPOINT to the name that it is made for, or NODE_EXTRA_CA_CERTS to the file of its authority.`;
  if (code === 'EPROTO')
    return `${where} does not speak TLS: set S3_ENDPOINT to an address with http://, or to the port that does.`;
  if (code === 'ENOTFOUND' && place.endpoint === undefined)
    return `There is no S3 at the region ${place.region ?? 'of this machine'}: set S3_REGION to that of the bucket ${place.bucket}, or S3_ENDPOINT.`;
  if (/^(ECONN\w+|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|TimeoutError)$/.test(code))
    return `The file store ${where} can't be reached (${code}): set S3_ENDPOINT to its address, or start it.`;
  if (code === 'CredentialsProviderError')
    return 'There are no keys for the file store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.';
  if (said.includes('Region is missing')) return `Set S3_REGION to the region of the bucket ${place.bucket}.`;
  if (region !== undefined) return `The bucket ${place.bucket} is in the region ${region}: set S3_REGION=${region}.`;
  if (code === 'NoSuchBucket')
    return `There is no bucket ${place.bucket} at ${where}: make it, or set ${settingOf(place)} to another.`;
  if (unknownKeys.includes(code))
    return `The file store ${where} does not take the keys (${code}): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to those of ${settingOf(place)}.`;
  if (code === skewed) return clocksDiffer(place);
  if (status === 403)
    return `The keys may not do what takes ${doing} in ${nameOf(place)}: give them that right, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to others.`;
  if (/kms/i.test(code + said) || /encrypt/i.test(said))
    return `The file store does not seal as S3_ENCRYPTION and S3_ENCRYPTION_KEY say (${said}): set them to what it can.`;
  if (status !== undefined && status >= 500)
    return `The file store ${where} fails at the moment (${status} ${code}): start again when it answers, or set S3_ENDPOINT to another.`;
  return `What answers at ${where} does not speak S3 as ${settingOf(place)} needs it (${doing}: ${code}): set S3_ENDPOINT to a store that does.`;
}

/** Where the bucket is, by a store that says so when it is asked in the name of another region. */
function regionIn(error: unknown): string | undefined {
  if (!(error instanceof S3ServiceException)) return undefined;
  const { headers = {} } = error.$response ?? {};
  if ('Region' in error && typeof error.Region === 'string') return error.Region;
  return [301, 400].includes(statusOf(error) ?? 0) ? headers['x-amz-bucket-region'] : undefined;
}
