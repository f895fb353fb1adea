import { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from './place.ts';

/**
 * The client of the store that a place is in.
 * @param idleMs a connection on which nothing comes for so long is given up
 * @param tries how often each request is sent at most
 */
export function clientOf(
  { endpoint, region, credentials }: S3Place,
  { idleMs, tries }: { idleMs: number; tries: number },
) {
  // Downloads to slow browsers hold a connection each.
  const agent = { maxSockets: 1000, keepAlive: true };
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
    maxAttempts: tries,
    // Some stores refuse the trailing checksums that are usual since 2025. What is sent is signed with its digest.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: idleMs, httpAgent: agent, httpsAgent: agent },
  });
}
