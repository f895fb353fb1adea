import { expect, test } from 'vitest';
import { changesSince } from './use-saved-draft.ts';

test('what was changed since it was sent stays a change, field by field', () => {
  const sent = { name: 'Nord', zone: 'UTC' };
  expect(changesSince(sent, sent)).toEqual({});
  expect(changesSince({ ...sent, name: 'Nordwind' }, sent)).toEqual({ name: 'Nordwind' });
  expect(changesSince<{ name: string; zone: string; language: string }>({ ...sent, language: 'de' }, sent)).toEqual({
    language: 'de',
  });
  // Sent as it was not changed: what was chosen meanwhile counts.
  expect(changesSince({ name: 'Nordwind' }, {})).toEqual({ name: 'Nordwind' });
});
