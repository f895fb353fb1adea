/** What the audit log tells of. Stored, so never rename one. */
export const auditActions = [
  // Sessions and passwords
  'signed-up',
  'email-confirmed',
  'signed-in',
  'sign-in-failed',
  'sign-in-refused',
  'signed-out',
  'session-ended',
  'other-sessions-ended',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-failed',
  'recovery-codes-renewed',
  'second-factor-reset',
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
  'files-moved',
  // Who sees what
  'collection-created',
  'collection-changed',
  'collection-deleted',
  'group-created',
  'group-changed',
  'group-deleted',
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
  'second-factor-required-changed',
  'allowed-addresses-changed',
  // API keys
  'api-key-created',
  'api-key-revoked',
  // Connected apps
  'app-connected',
  'app-disconnected',
  // Webhooks
  'webhook-created',
  'webhook-changed',
  'webhook-deleted',
  'webhook-secret-rotated',
  'webhook-tested',
  'webhook-sent-again',
  'webhook-switched-off',
  // Single sign-on
  'single-sign-on-changed',
  'single-sign-on-tested',
  'single-sign-on-required-changed',
  'domain-added',
  'domain-verified',
  'domain-removed',
  'person-joined',
  'person-linked',
  // Audit log
  'audit-exported',
  // The end of the company
  'company-deleted',
  'company-kept',
  // Export
  'export-started',
  'export-opened',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** By what means something was done. Stored, so never rename one. */
export const auditVias = [
  /** By somebody who is signed in, in a browser or by a program with a token. */
  'session',
  /** By a program with an API key. */
  'api-key',
  /** With e-mail and password. */
  'password',
  /** By the company's own provider. */
  'single-sign-on',
  /** With a mailed link. */
  'mailed-link',
  /** At the signed-out pages. */
  'visitor',
  /** By the service itself, as what is done every night. */
  'service',
] as const;

export type AuditVia = (typeof auditVias)[number];

/** For how many days back every plan shows its audit log. */
export const auditDaysOnEveryPlan = 30;
