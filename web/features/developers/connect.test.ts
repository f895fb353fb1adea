import { expect, test } from 'vitest';
import { assistants, settingsFor } from './connect.ts';

const at = { url: 'https://docs.example', apiKey: 'fn_abc' };

test.each(assistants)('%s is told the address that takes keys, and the key or to ask for it', (assistant) => {
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
