import { type AuditAction, type AuditVia, auditActions } from '#contract/audit.ts';

/** Actions whose names alone say too little. */
const told: Partial<Record<AuditAction, string>> = {
  'sign-in-failed': 'Wrong password',
  'password-reset-asked': 'Asked for a password reset',
  'file-opened': 'Original opened',
  'audit-exported': 'Audit log exported',
  'api-key-created': 'API key created',
  'api-key-revoked': 'API key revoked',
  'app-connected': 'App connected',
  'app-disconnected': 'App disconnected',
  'webhook-created': 'Webhook created',
  'webhook-changed': 'Webhook changed',
  'webhook-deleted': 'Webhook deleted',
  'webhook-secret-rotated': 'Webhook secret renewed',
  'webhook-tested': 'Webhook tested',
  'webhook-sent-again': 'Webhook event sent again',
  'webhook-switched-off': 'Webhook switched off',
};

/** What was done, as a reader calls it: `role-changed` is "Role changed". */
export function actionName(action: AuditAction): string {
  const words = action.replaceAll('-', ' ');
  return told[action] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Every action by its name. */
export function namedActions(): { action: AuditAction; name: string }[] {
  const named = auditActions.map((action) => ({ action, name: actionName(action) }));
  return named.sort((a, b) => a.name.localeCompare(b.name));
}

export const viaNames: Record<AuditVia, string> = {
  session: 'signed in',
  'api-key': 'with an API key',
  password: 'with a password',
  'single-sign-on': 'with single sign-on',
  'mailed-link': 'with a mailed link',
  visitor: 'not signed in',
  service: 'by the service',
};

/** All texts of ours around the audit log; the names of actions are above. */
export const words = {
  title: 'Audit log',
  everything: 'Everything that was done, newest first.',
  last30: 'What was done in the last 30 days, newest first.',
  byNumber: 'Questions are named by their number alone, never by their words.',
  notLoaded: 'The audit log could not be loaded.',
  loading: 'Loading…',
  nothingLike: 'Nothing like that is in the log.',
  empty: 'You will see here what is done.',
  showOlder: 'Show older events',
  olderLocked: (plan: string) => `Older events stay in the log. They are shown in the ${plan} plan. `,
  beforeLocked: (day: string, plan: string) =>
    `There are events from before ${day}. They are shown in the ${plan} plan. `,
  seePlans: 'See the plans',
  what: 'What',
  who: 'Who',
  nobody: 'Nobody signed in',
  about: 'About',
  when: 'When',
  from: 'From',
  service: 'the service',
  fileFailed: 'The file could not be made. Please try again.',
  downloadAs: (name: string) => `Download the audit log as ${name}`,
  action: 'Action',
  allActions: 'All actions',
  person: 'Person',
  everybody: 'Everybody',
  removed: 'Somebody removed',
  to: 'To',
  search: 'Search',
  searchWhat: 'Email, file, address',
  showAll: 'Show all',
};
