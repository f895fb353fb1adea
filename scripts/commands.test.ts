import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each(['backup', 'company', 'keys', 'restore'])(
  '%s without words says how it is used, and nothing else',
  (name) => {
    const { status, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect([status, stderr.trim()]).toEqual([1, expect.stringMatching(new RegExp(`^usage: npm run ${name} -- .*$`))]);
  },
);

test.each([
  [
    ['restore', '/nowhere', '--ledger', '/nowhere/erased.txt'],
    /^There is no \/nowhere\/erased\.txt\. .*--without-ledger/,
  ],
  [['backup', 'verify', '/nowhere'], /^There is no backup in \/nowhere\.$/],
])('%j says what is not there', ([name = '', ...words], said) => {
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect([status, stderr.trim()]).toEqual([1, expect.stringMatching(said)]);
});

test('backup says that it does not reach the database', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/backup.ts', '--plain', '/nowhere/backup'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://ada:quiet-heron@127.0.0.1:1/footnote' },
  });
  expect([status, stderr.trim()]).toEqual([1, "The database can't be reached: connect ECONNREFUSED 127.0.0.1:1."]);
});
