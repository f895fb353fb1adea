import { says } from '#simulators/models/script.ts';
import { type ModelServer, startModelServer } from '#simulators/models/server.ts';
import { test as base } from './test.ts';

/** As `test`, on an app with a language model that says what a test has it play; words alone check what it writes. */
export const test = base.extend<object, { model: ModelServer }>({
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: it needs no other fixture
    async ({}, use) => {
      const model = await startModelServer({ protocol: 'openai', script: says('NOT_IN_DOCUMENTS') });
      await use(model);
      await model.close();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ model }, use) =>
      use({ LLM: 'openai-compatible', LLM_BASE_URL: model.url, LLM_MODEL: 'scripted', LLM_VERIFY: 'off' }),
    { scope: 'worker' },
  ],
});
