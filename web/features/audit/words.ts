import { type AuditAction, type AuditVia, auditActions } from '#contract/audit.ts';

/** Actions whose names alone say too little. */
const told: Partial<Record<AuditAction, string>> = {
  'sign-in-failed': 'Wrong password',
  'password-reset-asked': 'Asked for a password reset',
  'file-opened': 'Original opened',
  'audit-exported': 'Audit log exported',
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
  password: 'with a password',
  'mailed-link': 'with a mailed link',
  visitor: 'signed out',
  service: 'by the service',
};
