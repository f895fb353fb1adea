import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Received {
  status: number;
  type: string;
  body: string;
}

/** A request with any headers: `fetch` would not send another `Host`. */
export async function sendAs(
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, async (response) =>
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        body: await text(response),
      }),
    )
      .on('error', reject)
      .end(body);
  });
}
