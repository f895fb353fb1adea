import { AppError } from '#contract/errors.ts';
import { bearer } from '#web/api/session.ts';

/**
 * Removes an unfinished upload, whoever began it; one that has ended already is fine.
 * @throws AppError with the server's reason
 */
export async function cancelUpload(id: string): Promise<void> {
  const token = await bearer();
  const reply = await fetch(`/v1/uploads/${id}`, {
    method: 'DELETE',
    headers: { 'Tus-Resumable': '1.0.0', ...(token !== null && { Authorization: `Bearer ${token}` }) },
  }).catch((cause: unknown) => {
    throw new AppError('unavailable', { cause });
  });
  if (reply.ok || reply.status === 404) return;
  const { error } = await reply.json().catch(() => ({}));
  throw AppError.fromWire(error ?? {});
}
