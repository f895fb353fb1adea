import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Config } from '#server/config/config.ts';
import { servesThisMachineAlone } from '#server/lib/this-machine.ts';
import { type Finding, inWords } from './finding.ts';

const answerMs = 10_000;
const day = 86_400_000;
/** Programs that renew certificates do so a month ahead: by then they have failed for weeks. */
const soonDays = 14;

/** The address that browsers see: whether it leads here, over TLS, and through a proxy that says whom it speaks for. */
export async function examineAddress(
  config: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>,
  now = new Date(),
): Promise<Finding[]> {
  const { publicUrl } = config;
  if (servesThisMachineAlone(config))
    return [{ about: 'Address', state: 'right', says: `${publicUrl} is for this machine alone.` }];
  const url = new URL(publicUrl);
  return [...(await examineTls(url, now)), await examineWay(url), await examineProxy(config)];
}

async function examineTls(url: URL, now: Date): Promise<Finding[]> {
  const about = 'TLS';
  if (url.protocol === 'http:') {
    const todo = 'Put a proxy with TLS in front, and set PUBLIC_URL=https://…';
    return [{ about, state: 'wrong', says: 'Passwords and documents go over the network in clear.', todo }];
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || 443);
  // An address is no name that a certificate could be asked for by.
  const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }) });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(answerMs) });
    const until = new Date(socket.getPeerCertificate().valid_to);
    const days = Math.floor((until.getTime() - now.getTime()) / day);
    const says = `The certificate is good for ${days} more days.`;
    if (days >= soonDays) return [{ about, state: 'right', says }];
    return [{ about, state: 'notice', says, todo: 'Renew it; what should have renewed it by itself has failed.' }];
  } catch (error) {
    const todo = 'Browsers will refuse it as well: see the proxy’s certificate and its name.';
    return [{ about, state: 'wrong', says: `${url.host} can't be reached by TLS: ${inWords(error)}.`, todo }];
  } finally {
    socket.destroy();
  }
}

async function examineWay(url: URL): Promise<Finding> {
  const about = 'Address';
  try {
    const alive = await ask(new URL('/healthz', url));
    if (alive.status !== 200 || (await statusOf(alive)) !== 'ok') {
      const todo = 'PUBLIC_URL has to lead to this service, whole, and without another one in between.';
      return { about, state: 'wrong', says: `${url.origin} answers with ${alive.status}, not as this service.`, todo };
    }
    const ready = await ask(new URL('/readyz', url));
    if (JSON.stringify(await ready.json().catch(() => null)).includes('"ports"')) {
      const todo = 'Have the proxy send X-Forwarded-For, by which the service knows that it is one.';
      return { about, state: 'wrong', says: 'Everybody can read what only this machine may.', todo };
    }
    return { about, state: 'right', says: `${url.origin} leads to a service.` };
  } catch (error) {
    const todo = 'From this machine it can fail where a router does not lead back; then try it from elsewhere.';
    return { about, state: 'wrong', says: `${url.origin} does not answer: ${inWords(error)}.`, todo };
  }
}

const ask = (url: URL) => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) });

async function statusOf(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => null);
  return typeof body === 'object' && body !== null && 'status' in body ? body.status : null;
}

async function examineProxy({ trustProxy }: Pick<Config, 'trustProxy'>): Promise<Finding> {
  const about = 'Proxy';
  const todo = 'Set TRUST_PROXY to the addresses of your proxies, or to how many there are.';
  if (trustProxy === false)
    return { about, state: 'notice', says: 'Everybody counts as the proxy, in limits and in the audit log.', todo };
  if (trustProxy === true)
    return { about, state: 'notice', says: 'Anybody can say that they are a proxy, and for whom they speak.', todo };
  return { about, state: 'right', says: 'Only the proxies named in TRUST_PROXY are believed.' };
}
