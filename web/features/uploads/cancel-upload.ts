import { AppError } from '#contract/errors.ts';
import { requestUpload } from './request-upload.ts';

/**
 * Removes an unfinished upload, whoever began it; one that has ended already is fine.
 * @throws AppError with the server's reason
 */
export async function cancelUpload(id: string): Promise<void> {
  const reply = await requestUpload('DELETE', id);
  if (!reply) throw new AppError('unavailable');
  if (reply.ok || reply.status === 404) return;
  const { error } = await reply.json().catch(() => ({}));
  throw AppError.fromWire(error ?? {});
}
