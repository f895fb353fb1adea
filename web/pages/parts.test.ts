import { expect, test } from 'vitest';
import { parts, partsOf } from './parts.ts';

test.each([
  ['/chat', [parts.chat]],
  ['/profile', [parts.success]],
  ['/connect-app', [parts.connectApp]],
  ['/account/security', [parts.accountSecurity]],
  ['/account/data', [parts.accountData]],
  ['/documents/0d1f/1', [parts.document]],
  ['/admin/dashboard', [parts.adminLayout, parts.dashboard]],
  ['/admin/documents', [parts.adminLayout, parts.documents]],
  ['/admin/analytics', [parts.adminLayout, parts.analytics]],
  ['/admin/team', [parts.adminLayout, parts.team]],
  ['/admin/collections', [parts.adminLayout, parts.collections]],
  ['/admin/collections/0d1f', [parts.adminLayout, parts.collection]],
  ['/admin/settings/company', [parts.adminLayout, parts.settings]],
  ['/admin/chat-agent', [parts.adminLayout, parts.chatAgent]],
  ['/admin', [parts.adminLayout]],
  ['/nowhere', []],
])('%s is drawn with its own parts', (path, own) => {
  expect(namesOf(partsOf(path))).toEqual(namesOf(own));
});

const namesOf = (some: readonly unknown[]) =>
  some.map((part) => Object.entries(parts).find(([, each]) => each === part)?.[0]);
