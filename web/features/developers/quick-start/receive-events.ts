// Receives the events of a webhook. Needs Node 24: WEBHOOK_SECRET=whsec_... node receive-events.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

const secret = process.env.WEBHOOK_SECRET ?? 'whsec_...';

function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const timestamp = String(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${timestamp}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  // While the secret is renewed there are two, with a space between.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => each.length === expected.length && timingSafeEqual(Buffer.from(each), Buffer.from(expected)));
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  // Answer first, within 15 seconds. An event can come twice: its webhook-id is the same then.
  response.writeHead(204).end();
  const { type, data } = JSON.parse(body);
  console.log(request.headers['webhook-id'], type, data);
});
server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
