import { type Client, createClient } from '#client/client.ts';
import { createLog } from '#server/http/log.ts';
import { says } from '#simulators/models/script.ts';
import { type ModelServer, startModelServer } from '#simulators/models/server.ts';
import { startTestApp, type TestApp } from './app.ts';

/** The whole product with a language model that says what a test has it say, and a company that has signed up. */
export interface ScriptedApp {
  app: TestApp;
  model: ModelServer;
  token: string;
  client: Client;
  close(): Promise<void>;
}

/**
 * @param files texts by their names, which are read once it resolves
 * @param patienceMs how long the model is waited for, for its first and each next piece; more than any machine is busy
 * @param isReadTwice the same model is asked about what words leave open
 */
export async function startScriptedApp(
  files: Record<string, string>,
  { patienceMs = 60_000, isReadTwice = true }: { patienceMs?: number; isReadTwice?: boolean } = {},
): Promise<ScriptedApp> {
  const model = await startModelServer({ protocol: 'openai', script: says('NOT_IN_DOCUMENTS') });
  const app = await startTestApp(
    {
      languageModel: {
        provider: 'openai-compatible',
        baseUrl: model.url,
        model: 'scripted',
        contextTokens: 8000,
        firstTokenMs: patienceMs,
        nextTokenMs: patienceMs,
      },
      ...(isReadTwice && { secondReader: { kind: 'same' as const } }),
    },
    { log: createLog('error') },
  );
  const { token } = await app.signUp();
  const client = createClient(app.url, token);
  for (const [name, text] of Object.entries(files)) await client.upload(name, Buffer.from(text));
  await app.idle();
  return {
    app,
    model,
    token,
    client,
    async close() {
      await app.close();
      await model.close();
    },
  };
}
