import { isIP, type LookupFunction, Socket } from 'node:net';

// No test may reach out of this machine: what passes only with the network there is not tested.
const connect = Socket.prototype.connect;
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]) {
  const flat = args.flat();
  const host = hostOf(flat);
  if (host === undefined || isLoopback(host)) return Reflect.apply(connect, this, args);
  const options: { lookup?: LookupFunction } | null = flat[0] instanceof Object ? flat[0] : null;
  if (!options?.lookup || isIP(host) !== 0) throw new Error(`a test tried to reach ${host}`);
  // A name that is looked up by the code under test: where it leads is looked at.
  options.lookup = withinThisMachine(options.lookup);
  return Reflect.apply(connect, this, args);
};

function withinThisMachine(lookup: LookupFunction): LookupFunction {
  return (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (addresses.every(isLoopback)) done(error, found, family);
      else done(new Error(`a test tried to reach ${addresses}`), found, family);
    });
}

/** `connect(options)`, `connect(port, host)` or `connect(path)`. */
function hostOf([first, second]: unknown[]): string | undefined {
  if (first instanceof Object) return 'host' in first && first.host ? String(first.host) : undefined;
  return typeof second === 'string' ? second : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
