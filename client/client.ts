import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { CompanyFile } from '#contract/calls/documents.ts';
import type { CallInput, CallMessage, CallName, CallOutput } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';

export interface Sending {
  /** Of a call that takes one, as `query` does: sent again with the same it answers what was stored. */
  idempotencyKey?: string;
  /** Gives the call up. */
  signal?: AbortSignal;
}

/** A small client over HTTP alone, for scripts, tests and measurements: what any program of a customer could do. */
export interface Client {
  call<Name extends CallName>(name: Name, input: CallInput<Name>, sending?: Sending): Promise<CallOutput<Name>>;
  stream<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    onMessage: (message: CallMessage<Name>) => void,
    sending?: Sending,
  ): Promise<CallOutput<Name>>;
  /** Uploads a file over tus in one request after its creation. */
  upload(
    name: string,
    content: Uint8Array,
    ifExists?: 'replace' | 'keep-both',
    /** Id of the collection that it is for. */
    collection?: string,
  ): Promise<CallOutput<'getUpload'>>;
  /** All files, once each of them has reached an end state. */
  filesWhenRead(): Promise<CompanyFile[]>;
}

/** @param others headers that go with every request */
export function createClient(url: string, idToken?: string, others: Record<string, string> = {}): Client {
  const bearer = { ...others, ...(idToken !== undefined && { Authorization: `Bearer ${idToken}` }) };

  async function post(
    name: string,
    input: unknown,
    { accept, idempotencyKey, signal }: Sending & { accept: string },
  ): Promise<Response> {
    const key = idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey };
    return fetch(`${url}/v1/${name}`, {
      method: 'POST',
      headers: { ...bearer, ...key, 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ data: input }),
      ...(signal && { signal }),
    });
  }

  const client: Client = {
    async call(name, input, sending) {
      const reply = JSON.parse(await (await post(name, input, { ...sending, accept: 'application/json' })).text());
      if (reply.error) throw AppError.fromWire(reply.error);
      return reply.result;
    },

    async stream(name, input, onMessage, sending) {
      const { body } = await post(name, input, { ...sending, accept: 'text/event-stream' });
      if (!body) throw new AppError('unavailable');
      for await (const { data } of body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())) {
        const event = JSON.parse(data);
        if (event.error) throw AppError.fromWire(event.error);
        if ('result' in event) return event.result;
        onMessage(event.message);
      }
      throw new AppError('unavailable');
    },

    async upload(name, content, ifExists = 'replace', collection) {
      const tus = { ...bearer, 'Tus-Resumable': '1.0.0' };
      const created = await fetch(`${url}/v1/uploads`, {
        method: 'POST',
        headers: {
          ...tus,
          'Upload-Length': String(content.byteLength),
          'Upload-Metadata': [
            `filename ${base64(name)}`,
            `ifExists ${base64(ifExists)}`,
            ...(collection ? [`collection ${base64(collection)}`] : []),
          ].join(),
        },
      });
      const location = created.headers.get('Location');
      if (!location) throw await errorOf(created);
      const finished = await fetch(new URL(location, url), {
        method: 'PATCH',
        headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
        body: new Blob([Uint8Array.from(content)]),
      });
      if (finished.status !== 200) throw await errorOf(finished);
      return JSON.parse(await finished.text());
    },

    async filesWhenRead() {
      const files = new Map<string, CompanyFile>();
      const unread = () => [...files.values()].some(({ state }) => state === 'queued' || state === 'processing');
      const done = Promise.withResolvers<void>();
      const closing = new AbortController();
      const watch = async (): Promise<void> => {
        const onMessage = (message: CallMessage<'watchFiles'>) => {
          if (message.type === 'files') for (const file of message.files) files.set(file.id, file);
          else if (message.type === 'changed') files.set(message.file.id, message.file);
          else if (message.type === 'removed') files.delete(message.id);
          if (!unread()) done.resolve();
        };
        await client.stream('watchFiles', null, onMessage, { signal: closing.signal });
        if (unread()) await watch();
      };
      watch().catch(done.reject);
      await done.promise.finally(() => closing.abort());
      return [...files.values()];
    },
  };
  return client;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

async function errorOf(reply: Response): Promise<Error> {
  const text = await reply.text();
  try {
    return AppError.fromWire(JSON.parse(text).error);
  } catch {
    return new Error(`${reply.status} ${text}`);
  }
}

const lots = '1000000';

/** Settings of a server whose only client is a program, which asks faster than a person. */
export const forPrograms: Record<string, string> = {
  QUESTIONS_PER_MINUTE: lots,
  COMPANY_QUESTIONS_PER_MINUTE: lots,
  SEARCHES_PER_MINUTE: lots,
  COMPANY_SEARCHES_PER_MINUTE: lots,
  READS_PER_MINUTE: lots,
  COMPANY_READS_PER_MINUTE: lots,
  CHANGES_PER_MINUTE: lots,
  COMPANY_CHANGES_PER_MINUTE: lots,
  UPLOAD_REQUESTS_PER_MINUTE: lots,
  COMPANY_UPLOAD_REQUESTS_PER_MINUTE: lots,
  UPLOADS_PER_MINUTE: lots,
};
