import type { IncomingMessage } from 'node:http';

/**
 * Whether a host name or an address, as it stands in an address of the web, in `Host` or in `HOST`, can only mean this
 * machine.
 */
export function isLoopbackName(name: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i.test(name);
}

/** Whether the service is for whoever sits at this machine: it listens here alone, and says so to browsers. */
export function servesThisMachineAlone({ host, publicUrl }: { host: string; publicUrl: string }): boolean {
  return isLoopbackName(host) && isLoopbackName(new URL(publicUrl).hostname);
}

/** Whether a request asks for a name of this machine: a page elsewhere could have given its own name our address. */
export function asksForThisMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return isLoopbackName((headers.host ?? '').replace(/:\d+$/, ''));
}

const signsOfProxies = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Whether whoever asks sits at this machine, by the connection and not by what a header says of it. What a proxy on
 * this machine passes on comes from here too: it is known by the headers that proxies add, or by the name that was
 * asked for.
 */
export function isFromThisMachine(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { headers, socket } = request;
  return (
    !signsOfProxies.some((each) => headers[each] !== undefined) &&
    /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(socket.remoteAddress ?? '') &&
    asksForThisMachine(request)
  );
}
