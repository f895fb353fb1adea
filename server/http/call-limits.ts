import type { CallName } from '#contract/calls.ts';
import type { Actor } from '#server/calls/actor.ts';
import { addressKey, type Limits } from '#server/calls/limits.ts';
import type { Config } from '#server/config/config.ts';
import type { CallKind, CallRates } from '#server/config/rates.ts';
import type { CallsOptions } from './calls.ts';

/**
 * What each call counts as. `address`: made by anyone, so that only the address can be counted. Null: its feature
 * counts it by what it is about (an account, a mail, a code, the payment provider), or answering costs less than
 * counting.
 */
const kinds: Record<CallName, CallKind | 'address' | null> = {
  signUp: null,
  signIn: null,
  refreshSession: 'address',
  signOut: 'address',
  sendPasswordReset: null,
  verifyResetCode: null,
  confirmPasswordReset: null,
  confirmEmail: null,
  sendEmailConfirmation: null,
  reauthenticate: null,
  changePassword: null,
  setDisplayName: 'change',
  listSessions: 'read',
  endSession: 'change',
  endOtherSessions: 'change',
  getAccountSecurity: 'read',
  setSignInMails: 'change',
  beginSecondFactor: 'change',
  confirmSecondFactor: 'change',
  removeSecondFactor: 'change',
  renewRecoveryCodes: 'change',
  resetSecondFactor: 'change',
  beginSingleSignOn: 'address',
  completeSingleSignOn: 'address',
  confirmBySingleSignOn: 'change',
  getSingleSignOn: 'read',
  saveSingleSignOn: 'change',
  removeSingleSignOn: 'change',
  testSingleSignOn: 'change',
  setSingleSignOnRequired: 'change',
  addDomain: 'change',
  checkDomain: 'change',
  removeDomain: 'change',
  createApiKey: 'change',
  listApiKeys: 'read',
  revokeApiKey: 'change',
  getAppRequest: 'read',
  allowApp: 'change',
  refuseApp: 'change',
  listConnectedApps: 'read',
  disconnectApp: 'change',
  createWebhook: 'change',
  updateWebhook: 'change',
  rotateWebhookSecret: 'change',
  listWebhooks: 'read',
  deleteWebhook: 'change',
  sendTestEvent: 'change',
  getWebhookLog: 'read',
  resendDelivery: 'change',
  getSession: 'read',
  getSettings: null,
  getPlans: null,
  createCheckoutSession: null,
  syncSubscription: null,
  createPortalSession: null,
  getBilling: null,
  previewPlanChange: null,
  changePlan: null,
  cancelSubscription: null,
  resumeSubscription: null,
  listUsers: 'read',
  inviteUser: null,
  inviteUsers: 'change',
  resendInvitation: null,
  withdrawInvitation: 'change',
  deleteUser: 'change',
  setUserRole: 'change',
  getCompanyFiles: 'read',
  getGoneDocuments: 'read',
  watchFiles: 'read',
  getFileLink: 'read',
  deleteFile: 'change',
  retryFile: 'change',
  setFileTags: 'change',
  deleteFiles: 'change',
  retryFiles: 'change',
  tagFiles: 'change',
  listCollections: 'read',
  createCollection: 'change',
  updateCollection: 'change',
  deleteCollection: 'change',
  moveDocuments: 'change',
  listGroups: 'read',
  createGroup: 'change',
  updateGroup: 'change',
  deleteGroup: 'change',
  getUpload: 'read',
  getStorage: 'read',
  getDocument: 'read',
  getReadingView: 'read',
  query: null,
  searchPassages: 'search',
  rateAnswer: 'change',
  getSuggestedQuestions: 'search',
  getAnalytics: 'read',
  setQuestionSolved: 'change',
  askAgain: 'question',
  listFeedback: 'read',
  listAskers: 'read',
  exportAnalytics: 'read',
  getAnalyticsSettings: 'read',
  updateAnalyticsSettings: 'change',
  getChatAgent: 'read',
  saveChatAgent: 'change',
  restoreChatAgent: 'change',
  tryChatAgent: 'question',
  getAuditLog: 'read',
  exportAuditLog: 'change',
  getAllowedAddresses: 'read',
  saveAllowedAddresses: 'change',
  removeAllowedAddresses: 'change',
  getCompanySettings: 'read',
  updateCompany: 'change',
  updateBrand: 'change',
  setSessionDays: 'change',
  setSecondFactorRequired: 'change',
  setDigest: 'change',
  startExport: 'change',
  startOwnExport: 'change',
  getExport: 'read',
  listExports: 'read',
  deleteCompany: 'change',
  keepCompany: 'change',
};

/**
 * The limits that a call has as such, by person and company. Those of sign-in and sign-up also depend on the account,
 * and stand in identity.
 */
export function callLimits(
  limits: Limits,
  { rates, callRates }: Pick<Config, 'rates' | 'callRates'>,
): NonNullable<CallsOptions['limit']> {
  const isCall = (name: string): name is CallName => Object.hasOwn(kinds, name);
  return async (name, actor, ip) => {
    const kind = isCall(name) ? kinds[name] : null;
    if (kind === 'address') await limits.take(`refresh:${addressKey(ip)}`, rates.refreshesPerMinute, 60);
    else if (kind !== null && actor) await takeKind(limits, callRates, kind, actor);
  };
}

/** Counts what a question takes; one that is sent again with its key is read. */
export function questionLimits(limits: Limits, { callRates }: Pick<Config, 'callRates'>) {
  return {
    asked: (actor: Actor) => takeKind(limits, callRates, 'question', actor),
    toldAgain: (actor: Actor) => takeKind(limits, callRates, 'read', actor),
  };
}

/** Counts what an upload takes: its start by company, each of its requests by person and company. */
export function uploadLimits(limits: Limits, { rates, callRates }: Pick<Config, 'rates' | 'callRates'>) {
  return {
    start: ({ companyId }: Actor) => limits.take(`upload:${companyId}`, rates.uploadsPerMinute, 60),
    request: (actor: Actor) => takeKind(limits, callRates, 'piece', actor),
  };
}

/** The person's share first: what one person is refused must not use up what the company has. */
function takeKind(limits: Limits, rates: CallRates, kind: CallKind, { userId, companyId }: Actor): Promise<void> {
  const { perPerson, perCompany } = rates[kind];
  const person = { key: `${kind}:${userId}`, max: perPerson };
  return limits.takeBoth(person, { key: `${kind}:company:${companyId}`, max: perCompany }, 60);
}
