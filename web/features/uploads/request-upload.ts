import { bearer } from '#web/api/session.ts';

/**
 * One request of the upload protocol (tus) that its client library does not make: where an upload stands, or its end.
 * @returns null where the service can't be reached
 * @throws AppError where the session can't be renewed
 */
export async function requestUpload(method: 'HEAD' | 'DELETE', uploadId: string): Promise<Response | null> {
  const token = await bearer();
  const headers = { 'Tus-Resumable': '1.0.0', ...(token !== null && { Authorization: `Bearer ${token}` }) };
  return fetch(`/v1/uploads/${uploadId}`, { method, headers }).catch(() => null);
}
