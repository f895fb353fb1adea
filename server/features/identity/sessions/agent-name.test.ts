import { expect, test } from 'vitest';
import { agentName } from './agent-name.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';

test.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Chrome on Windows', `${windows} ${webKit} Chrome/150.0.0.0 Safari/537.36`],
  ['Edge on Windows', `${windows} ${webKit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`],
  ['Opera on Windows', `${windows} ${webKit} Chrome/150.0.0.0 Safari/537.36 OPR/110.0.0.0`],
  [
    'Safari on Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  [
    'Firefox on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15',
  ],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/150.0.0.0 Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/150.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/150.0.0.0 Safari/537.36`],
  ['curl', 'curl/8.5.0'],
  ['python-requests', 'python-requests/2.32.3'],
  ['node', 'node'],
  ['an unknown browser', 'Mozilla/5.0'],
  ['an unknown browser', '<script>alert(1)</script>'],
  ['an unknown browser', ''],
  ['an unknown browser', undefined],
])('%s', (name, agent) => expect(agentName(agent)).toBe(name));

test('a text without end is one of at most 40 letters', () => {
  expect(agentName('x'.repeat(100_000))).toHaveLength(40);
});
