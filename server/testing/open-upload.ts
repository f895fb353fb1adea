/** An upload that is under way, in requests of its own. */
export interface OpenUpload {
  id: string;
  /** Sends bytes from an offset on; the last piece is answered with the document. */
  send(offset: number, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<Response>;
  /** How many bytes are there. */
  offset(): Promise<number>;
  /** Removes it. */
  giveUp(): Promise<Response>;
}

export async function openUpload(
  url: string,
  token: string,
  name: string,
  size: number,
  ifExists = 'replace',
): Promise<OpenUpload> {
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' };
  const created = await fetch(`${url}/v1/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'Upload-Length': String(size),
      'Upload-Metadata': `filename ${base64(name)},ifExists ${base64(ifExists)}`,
    },
  });
  const location = created.headers.get('Location');
  if (!location) throw new Error(`the upload was not created: ${created.status} ${await created.text()}`);
  return resumeUpload(url, token, location.split('/').at(-1) ?? '');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** An upload of before, by its id. */
export function resumeUpload(url: string, token: string, id: string): OpenUpload {
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' };
  const place = `${url}/v1/uploads/${id}`;
  return {
    id,
    send(offset, bytes) {
      const streamed = bytes instanceof ReadableStream;
      const request = {
        method: 'PATCH',
        headers: { ...headers, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
        body: streamed ? bytes : new Blob([Uint8Array.from(bytes)]),
        ...(streamed && { duplex: 'half' }),
      };
      return fetch(place, request);
    },
    giveUp: () => fetch(place, { method: 'DELETE', headers }),
    async offset() {
      const reply = await fetch(place, { method: 'HEAD', headers });
      if (!reply.ok) throw new Error(`no such upload: ${reply.status}`);
      return Number(reply.headers.get('Upload-Offset'));
    },
  };
}
