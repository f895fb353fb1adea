import { isIP, Socket } from 'node:net';

// No test may reach out of this machine: what passes only with the network there is not tested.
const connect = Socket.prototype.connect;
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]) {
  const host = hostOf(args.flat());
  if (host !== undefined && !isLoopback(host)) throw new Error(`a test tried to reach ${host}`);
  return Reflect.apply(connect, this, args);
};

/** `connect(options)`, `connect(port, host)` or `connect(path)`. */
function hostOf([first, second]: unknown[]): string | undefined {
  if (first instanceof Object) return 'host' in first && first.host ? String(first.host) : undefined;
  return typeof second === 'string' ? second : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
