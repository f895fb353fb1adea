import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { addressResolver } from './dns.ts';
import { isAllowedAddress, isPublicAddress, type OutboundAllowed } from './public-address.ts';
import { unlessAborted } from './unless-aborted.ts';

/** A request to an address that a customer has named. */
export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
}

/**
 * The one way to addresses that a customer has named: such a request must not reach what only we can reach. The name is
 * resolved once, every address that it has is looked at, and the connection goes to one of these and nowhere else, so
 * that a name which answers otherwise a moment later leads nowhere.
 * @returns the whole answer, of any status but a redirect: where that leads nobody has looked at.
 * @throws AppError `outbound-address-invalid`, `outbound-not-public`, `outbound-unreachable`, `outbound-timeout`,
 * `outbound-too-large`, `outbound-redirected`; none says what answered. The reason of `signal` where that was aborted.
 */
export type Outbound = (address: string, request?: OutboundRequest) => Promise<Response>;

export interface OutboundOptions {
  allowed: OutboundAllowed;
  /** All addresses of a name; absent: those that the system's name servers know, and of operators' names the system. */
  resolve?: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** The name server to ask where `resolve` is not given; absent: the system's. */
  nameServer?: string;
  /** Of the body of an answer. */
  maxBytes?: number;
  /** Until a connection stands, the name's resolution included. */
  connectTimeoutMs?: number;
  /** For all of it. */
  timeoutMs?: number;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { allowed, maxBytes = 1_048_576, connectTimeoutMs = 5_000, timeoutMs = 15_000 } = options;
  const { resolve = usualResolver(allowed, options.nameServer) } = options;
  /** A name that is not there is told like one that is ours alone. */
  const resolved = (host: string, signal: AbortSignal) =>
    resolve(host, signal).catch((cause: unknown) => {
      throw new AppError('outbound-not-public', { cause });
    });

  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = outboundUrl(address, allowed);
    const byName = isIP(bare(url.hostname)) === 0;
    const isEncrypted = url.protocol === 'https:';

    const own = new AbortController();
    const giveUp = () => own.abort(new AppError('outbound-timeout'));
    const timers = [setTimeout(giveUp, timeoutMs)];
    const connecting = setTimeout(giveUp, connectTimeoutMs);
    timers.push(connecting);
    const both = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
    try {
      both.throwIfAborted();
      // Not every resolver stops when it is told to.
      const addresses = byName ? await unlessAborted(resolved(url.hostname, both), both) : [bare(url.hostname)];
      const mayReach = (each: string) => isReachable(url, each, allowed);
      // All, and not some: which of them is taken is decided by whoever answers for the name.
      if (addresses.length === 0 || !addresses.every(mayReach)) throw new AppError('outbound-not-public');
      const sent = (isEncrypted ? requestEncrypted : requestPlain)(url, {
        method,
        headers: { 'user-agent': 'Footnote', accept: '*/*', ...headers },
        // A connection of its own, so that none is used that was made for another company, or before a name moved.
        agent: false,
        lookup: pinnedTo(addresses),
        signal: both,
        maxHeaderSize: 16_384,
      });
      const answered = new Promise<IncomingMessage>((done, failed) => {
        sent.once('response', done);
        sent.on('error', failed);
      });
      sent.once('socket', (socket) =>
        socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      );
      sent.end(body);
      return await read(await answered, maxBytes);
    } catch (cause) {
      signal?.throwIfAborted();
      if (own.signal.aborted) throw own.signal.reason;
      throw cause instanceof AppError ? cause : new AppError('outbound-unreachable', { cause });
    } finally {
      for (const timer of timers) clearTimeout(timer);
      own.abort();
    }
  };
}

/**
 * What can be said of an address without asking for its name: whether a request may be sent to it at all.
 * @throws AppError `outbound-address-invalid`; `outbound-not-public` where it names a private one itself
 */
export function outboundUrl(address: string, allowed: OutboundAllowed): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) throw new AppError('outbound-address-invalid');
  if (url.protocol !== 'https:' && !allowed.origins.has(url.origin)) throw new AppError('outbound-address-invalid');
  // They would be sent to whoever is there, and stand in logs.
  if (url.username !== '' || url.password !== '') throw new AppError('outbound-address-invalid');
  const literal = bare(url.hostname);
  if (isIP(literal) !== 0 && !isReachable(url, literal, allowed)) throw new AppError('outbound-not-public');
  return url;
}

function isReachable(url: URL, address: string, allowed: OutboundAllowed): boolean {
  if (isPublicAddress(address) || isAllowedAddress(address, allowed)) return true;
  return allowed.origins.has(url.origin) || allowed.hosts.has(url.hostname);
}

/** Whether an error is one of a request to an address that a customer has named. */
export function isOutboundError(error: unknown): error is AppError {
  return error instanceof AppError && outboundErrors.includes(error.code);
}

const outboundErrors: readonly ErrorCode[] = [
  'outbound-address-invalid',
  'outbound-not-public',
  'outbound-unreachable',
  'outbound-timeout',
  'outbound-too-large',
  'outbound-redirected',
];

/** What the operator has named is looked up as the system does: the machine's own hosts file may know it alone. */
function usualResolver(
  { hosts, origins }: OutboundAllowed,
  nameServer: string | undefined,
): NonNullable<OutboundOptions['resolve']> {
  const named = new Set([...hosts, ...[...origins].map((origin) => new URL(origin).hostname)]);
  const askNameServers = addressResolver(nameServer);
  return async (host, signal) => {
    // Nobody is to be asked for that (RFC 6761, section 6.3).
    if (/(^|\.)localhost$/.test(host) && !named.has(host)) return ['127.0.0.1'];
    if (!named.has(host)) return askNameServers(host, signal);
    return (await lookup(host, { all: true })).map(({ address }) => address);
  };
}

/** Answers for any name with what was looked at: in all, or the first, as it is asked. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = known;
  return (_host, { all }, done) => {
    if (all) done(null, known);
    else done(null, first.address, first.family);
  };
}

async function read(message: IncomingMessage, maxBytes: number): Promise<Response> {
  const status = message.statusCode ?? 0;
  try {
    if (status >= 300 && status < 400 && status !== 304) throw new AppError('outbound-redirected');
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) throw new AppError('outbound-too-large');
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of message) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new AppError('outbound-too-large');
      pieces.push(piece);
    }
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? Buffer.concat(pieces) : null, { status, headers: headersOf(message) });
  } finally {
    message.destroy();
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

/** The address in the brackets that an address of the web has it in. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
