/** What the audit log tells of. Stored, so never rename one. */
export const auditActions = [
  // Sessions and passwords
  'signed-up',
  'email-confirmed',
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'password-reset-asked',
  'password-changed',
  // Team
  'invitation-sent',
  'invitation-withdrawn',
  'invitation-accepted',
  'role-changed',
  'person-removed',
  // Billing
  'plan-changed',
  'subscription-canceled',
  'subscription-resumed',
  // Documents
  'file-uploaded',
  'file-deleted',
  'file-retried',
  'file-tagged',
  'file-opened',
  // Answers
  'question-asked',
  // Analytics
  'analytics-settings-changed',
  'questions-erased',
  'question-solved',
  'analytics-exported',
  // Settings
  'chat-agent-changed',
  'company-changed',
  'branding-changed',
  'session-length-changed',
] as const;

export type AuditAction = (typeof auditActions)[number];
