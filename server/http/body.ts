import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { unlessAborted } from '#server/lib/unless-aborted.ts';
import { bodyLateness } from './connections.ts';

/** Largest body of a call or an event, in bytes. */
const maxBodyBytes = 1024 * 1024;
/**
 * Values, within each other or not, that a body may hold: the longest list of a call has 10,000. A megabyte of names
 * that are all different takes a parser two hundred times as long as one of text.
 */
const maxValues = 20_000;
/** What is read and thrown away of a larger one, so that its sender gets to read the answer instead of a reset. */
const maxDrained = 64 * 1024 * 1024;

/** What came as the body: the call's data, or what is wrong with it. */
export type Envelope = { data: unknown } | { problem: AppError };

/** What came as JSON, or what is wrong with it. */
export type Content = { content: unknown } | { problem: AppError };

/**
 * Reads a call's body, which is exactly `{"data": …}` as JSON. Never throws: who is calling, and whether the call
 * exists, decide first what is answered.
 */
export async function readEnvelope(request: FastifyRequest, body: AsyncIterable<Buffer>): Promise<Envelope> {
  const read = await readJson(request, body);
  if ('problem' in read) return read;
  const { content } = read;
  if (typeof content === 'object' && content !== null && Object.keys(content).join() === 'data' && 'data' in content) {
    return { data: content.data };
  }
  return { problem: new AppError('bad-request') };
}

/** Reads a body of JSON, in which every text is well-formed then. Never throws, as above. */
export async function readJson(request: FastifyRequest, body: AsyncIterable<Buffer>): Promise<Content> {
  const bytes = await readBytes(request, body).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (bytes instanceof AppError) return { problem: bytes };
  if (!bytes) return { problem: new AppError('too-large') };
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') return { problem: new AppError('bad-request') };
  if (holdsMoreValuesThan(bytes, maxValues)) return { problem: new AppError('too-large') };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const content: unknown = JSON.parse(text);
    return { content: half.test(text) ? wellFormed(content) : content };
  } catch (cause) {
    return { problem: new AppError('bad-request', { cause }) };
  }
}

/** Reads a body as it came; null when it is too large. @throws AppError `request-timeout` when it comes too slowly */
export async function readBytes(request: FastifyRequest, body: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  const late = bodyLateness(request.raw);
  const reading = body[Symbol.asyncIterator]();
  const next = late ? () => unlessAborted(reading.next(), late) : () => reading.next();
  for (let piece = await next(); !piece.done; piece = await next()) {
    size += piece.value.length;
    if (size <= maxBodyBytes) pieces.push(piece.value);
    else if (size > maxDrained) {
      request.raw.pause();
      break;
    }
  }
  return size > maxBodyBytes ? null : Buffer.concat(pieces);
}

const [quote, backslash, comma, brace, bracket] = Buffer.from('"\\,{[');

/**
 * Counts what begins a value outside of texts: a comma, a brace, a bracket. What is no JSON is for the parser to
 * refuse.
 */
function holdsMoreValuesThan(bytes: Buffer, max: number): boolean {
  if (bytes.length <= max) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === brace || byte === bracket) values++;
    if (values > max) return true;
  }
  return false;
}

/** How JSON writes half of a character of two: whatever else has one is no UTF-8. */
const half = /\\u[dD][89a-fA-F]/;

/**
 * The same with � for halves that stand alone, as where a text was cut within an emoji: JSON may have them, and neither
 * the database nor UTF-8 can.
 */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), wellFormed(each)]));
}
