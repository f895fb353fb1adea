import { expect, test } from 'vitest';
import { assistants, settingsFor } from './connect.ts';

const at = { url: 'https://docs.example', apiKey: 'fn_abc' };

const byAddress = ['Claude', 'ChatGPT'] as const;
const byKey = assistants.filter((assistant) => !byAddress.some((each) => each === assistant));

test.each(byAddress)('%s is told the address alone, without the key', (assistant) => {
  expect(settingsFor(assistant, at).text).toBe('https://docs.example/mcp');
});

test.each(byKey)('%s is told the address that takes keys, and the key or to ask for it', (assistant) => {
  const { text, where } = settingsFor(assistant, at);
  expect(text).toContain('https://docs.example/mcp/key');
  expect(text).toMatch(assistant === 'VS Code' ? /Bearer \$\{input:documents-key\}/ : /Bearer fn_abc/);
  expect(where).toMatch(/:$/);
  expect(settingsFor(assistant, { ...at, apiKey: '' }).text).not.toContain('Bearer "');
});

test('what is written into files is JSON', () => {
  for (const assistant of ['Cursor', 'VS Code'] as const)
    expect(() => JSON.parse(settingsFor(assistant, at).text)).not.toThrow();
});
