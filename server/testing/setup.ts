import { Socket } from 'node:net';

// No test may reach out of this machine: what passes only with the network there is not tested.
const connect = Socket.prototype.connect;
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]) {
  const [options] = args.flat();
  const host = options instanceof Object && 'host' in options ? options.host : undefined;
  if (typeof host === 'string' && !/^(localhost|127\.|::1$)/.test(host))
    throw new Error(`a test tried to reach ${host}`);
  return Reflect.apply(connect, this, args);
};
