import { deleteApp, type FirebaseApp, initializeApp } from '@firebase/app';
import {
  connectFunctionsEmulator,
  type Functions,
  FunctionsError,
  getFunctions,
  httpsCallable,
  httpsCallableFromURL,
} from '@firebase/functions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { AppError, type ErrorCode, errorCodes } from '#contract/errors.ts';
import { startTransport, type Transport } from '#server/testing/transport.ts';

// The official client of the callable protocol, unmodified: the code that `firebase/functions` exports.

const say = defineCall({
  summary: 'Says the words back, one by one.',
  input: z.object({ words: z.array(z.string()), fail: z.string().optional() }).strict(),
  output: z.object({ said: z.number() }),
  message: z.object({ word: z.string() }),
  access: 'anyone',
  scope: null,
  feature: null,
  idempotent: true,
});
const contract = {
  say,
  nothing: defineCall({ ...say, input: z.null(), output: z.null() }),
  slow: defineCall({ ...say, input: z.null(), output: z.null() }),
};

/** Ends the calls that are slow. */
const released = Promise.withResolvers<null>();
let transport: Transport;
let app: FirebaseApp;
let functions: Functions;

beforeAll(async () => {
  transport = await startTransport(contract, {
    say: async (
      { words, fail }: { words: string[]; fail?: string },
      { emit }: { emit: (message: unknown) => void },
    ) => {
      for (const word of words) emit({ word });
      const code = errorCodes.find((each) => each === fail);
      if (code) throw new AppError(code, { details: { words } });
      return { said: words.length };
    },
    nothing: async () => null,
    slow: () => released.promise,
  });
  app = initializeApp({ projectId: 'demo-footnote', apiKey: 'none', appId: 'none' });
  functions = getFunctions(app, 'us-east4');
  connectFunctionsEmulator(functions, '127.0.0.1', Number(new URL(transport.url).port));
});
afterAll(async () => {
  released.resolve(null);
  await deleteApp(app);
  await transport.close();
});

/** Both ways the client can be pointed at a server. */
const ways = {
  'by project and region': (name: string, options?: { timeout: number }) => httpsCallable(functions, name, options),
  'by address': (name: string, options?: { timeout: number }) =>
    httpsCallableFromURL(functions, `${transport.url}/v1/${name}`, options),
};

describe.each(Object.entries(ways))('%s', (_way, callable) => {
  test('a result', async () => {
    expect((await callable('say')({ words: ['a', 'b'] })).data).toEqual({ said: 2 });
  });

  test('no data in, null out', async () => {
    expect((await callable('nothing')()).data).toBeNull();
  });

  test('an error with its code and details', async () => {
    const error = await failureOf(callable('say')({ words: ['a'], fail: 'email-already-in-use' }));
    expect(error.code).toBe('functions/already-exists');
    expect(error.message).toContain('This email is already registered. Please log in.');
    expect(error.details).toEqual({ code: 'email-already-in-use', words: ['a'] });
  });

  test('input that is not valid', async () => {
    const error = await failureOf(callable('say')({ words: 'a' }));
    expect(error.code).toBe('functions/invalid-argument');
    expect(error.details).toMatchObject({ code: 'invalid-input', issues: [{ path: 'words' }] });
  });

  test('a call that does not exist', async () => {
    expect((await failureOf(callable('absent')())).code).toBe('functions/not-found');
  });

  test('a stream: its messages, then the result', async () => {
    const { stream, data } = await callable('say').stream({ words: ['a', 'b', 'c'] });
    expect(await all(stream)).toEqual([{ word: 'a' }, { word: 'b' }, { word: 'c' }]);
    expect(await data).toEqual({ said: 3 });
  });

  test('an error after the first message of a stream', async () => {
    const { stream, data } = await callable('say').stream({ words: ['a'], fail: 'storage-full' });
    const failure = failureOf(data);
    const error = await failureOf(all(stream));
    expect(error.code).toBe('functions/unavailable');
    expect((await failure).details).toMatchObject({ code: 'storage-full' });
  });

  test('an error before the first message of a stream', async () => {
    for (const [name, input] of [
      ['say', { words: [], fail: 'permission-denied' }],
      ['absent', null],
    ] as const) {
      const { stream, data } = await callable(name).stream(input);
      const failure = failureOf(data);
      await failureOf(all(stream));
      expect((await failure).code).toBe(name === 'say' ? 'functions/permission-denied' : 'functions/not-found');
    }
  });

  test("the client's own time-out", async () => {
    expect((await failureOf(callable('slow', { timeout: 50 })())).code).toBe('functions/deadline-exceeded');
  });
});

test('every status of the catalogue keeps its name', async () => {
  const codes: Partial<Record<ErrorCode, string>> = {};
  for (const code of errorCodes) {
    const error = await failureOf(httpsCallable(functions, 'say')({ words: [], fail: code }));
    codes[code] = error.code;
  }
  const expected = Object.fromEntries(
    errorCodes.map((code) => [code, `functions/${new AppError(code).status.toLowerCase().replaceAll('_', '-')}`]),
  );
  expect(codes).toEqual(expected);
});

// Not Array.fromAsync: in Node 24 it never ends on this client's iterator, whose return() fails after an error.
async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of stream) messages.push(message);
  return messages;
}

async function failureOf(promise: Promise<unknown>): Promise<FunctionsError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FunctionsError);
  if (error instanceof FunctionsError) return error;
  throw new Error('expected a failure');
}
