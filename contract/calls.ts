import type { z } from 'zod';
import * as account from './calls/account.ts';
import * as agent from './calls/agent.ts';
import * as allowedAddresses from './calls/allowed-addresses.ts';
import * as analytics from './calls/analytics.ts';
import * as answers from './calls/answers.ts';
import * as apiKeys from './calls/api-keys.ts';
import * as audit from './calls/audit.ts';
import * as billing from './calls/billing.ts';
import * as collections from './calls/collections.ts';
import * as companyEnd from './calls/company-end.ts';
import * as connectedApps from './calls/connected-apps.ts';
import * as documentPage from './calls/document-page.ts';
import * as documents from './calls/documents.ts';
import * as exports from './calls/export.ts';
import * as identity from './calls/identity.ts';
import * as manyDocuments from './calls/many-documents.ts';
import * as secondFactor from './calls/second-factor.ts';
import * as settings from './calls/settings.ts';
import * as singleSignOn from './calls/single-sign-on.ts';
import * as team from './calls/team.ts';
import * as webhooks from './calls/webhooks.ts';

/**
 * Every call of the product by its name on the wire. The transport, the browser's client, the access matrix and the
 * API document are all made from this list. In the browser import only its types, so that zod stays on the server.
 */
export const calls = {
  signUp: identity.signUp,
  signIn: identity.signIn,
  refreshSession: identity.refreshSession,
  signOut: identity.signOut,
  sendPasswordReset: identity.sendPasswordReset,
  verifyResetCode: identity.verifyResetCode,
  confirmPasswordReset: identity.confirmPasswordReset,
  confirmEmail: identity.confirmEmail,
  sendEmailConfirmation: identity.sendEmailConfirmation,
  reauthenticate: identity.reauthenticate,
  changePassword: identity.changePassword,
  setDisplayName: identity.setDisplayName,
  listSessions: account.listSessions,
  endSession: account.endSession,
  endOtherSessions: account.endOtherSessions,
  getAccountSecurity: account.getAccountSecurity,
  setSignInMails: account.setSignInMails,
  beginSecondFactor: secondFactor.beginSecondFactor,
  confirmSecondFactor: secondFactor.confirmSecondFactor,
  renewRecoveryCodes: secondFactor.renewRecoveryCodes,
  removeSecondFactor: secondFactor.removeSecondFactor,
  resetSecondFactor: secondFactor.resetSecondFactor,
  beginSingleSignOn: singleSignOn.beginSingleSignOn,
  completeSingleSignOn: singleSignOn.completeSingleSignOn,
  confirmBySingleSignOn: singleSignOn.confirmBySingleSignOn,
  getSingleSignOn: singleSignOn.getSingleSignOn,
  saveSingleSignOn: singleSignOn.saveSingleSignOn,
  removeSingleSignOn: singleSignOn.removeSingleSignOn,
  testSingleSignOn: singleSignOn.testSingleSignOn,
  setSingleSignOnRequired: singleSignOn.setSingleSignOnRequired,
  addDomain: singleSignOn.addDomain,
  checkDomain: singleSignOn.checkDomain,
  removeDomain: singleSignOn.removeDomain,
  createApiKey: apiKeys.createApiKey,
  listApiKeys: apiKeys.listApiKeys,
  revokeApiKey: apiKeys.revokeApiKey,
  getAppRequest: connectedApps.getAppRequest,
  allowApp: connectedApps.allowApp,
  refuseApp: connectedApps.refuseApp,
  listConnectedApps: connectedApps.listConnectedApps,
  disconnectApp: connectedApps.disconnectApp,
  createWebhook: webhooks.createWebhook,
  updateWebhook: webhooks.updateWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  listWebhooks: webhooks.listWebhooks,
  deleteWebhook: webhooks.deleteWebhook,
  sendTestEvent: webhooks.sendTestEvent,
  getWebhookLog: webhooks.getWebhookLog,
  resendDelivery: webhooks.resendDelivery,
  getSession: identity.getSession,
  getSettings: identity.getSettings,
  getPlans: billing.getPlans,
  createCheckoutSession: billing.createCheckoutSession,
  syncSubscription: billing.syncSubscription,
  createPortalSession: billing.createPortalSession,
  getBilling: billing.getBilling,
  previewPlanChange: billing.previewPlanChange,
  changePlan: billing.changePlan,
  cancelSubscription: billing.cancelSubscription,
  resumeSubscription: billing.resumeSubscription,
  listUsers: team.listUsers,
  inviteUser: team.inviteUser,
  inviteUsers: team.inviteUsers,
  resendInvitation: team.resendInvitation,
  withdrawInvitation: team.withdrawInvitation,
  deleteUser: team.deleteUser,
  setUserRole: team.setUserRole,
  getCompanyFiles: documents.getCompanyFiles,
  getGoneDocuments: documents.getGoneDocuments,
  watchFiles: documents.watchFiles,
  getFileLink: documents.getFileLink,
  deleteFile: documents.deleteFile,
  retryFile: documents.retryFile,
  setFileTags: documents.setFileTags,
  deleteFiles: manyDocuments.deleteFiles,
  retryFiles: manyDocuments.retryFiles,
  tagFiles: manyDocuments.tagFiles,
  listCollections: collections.listCollections,
  createCollection: collections.createCollection,
  updateCollection: collections.updateCollection,
  deleteCollection: collections.deleteCollection,
  moveDocuments: collections.moveDocuments,
  listGroups: collections.listGroups,
  createGroup: collections.createGroup,
  updateGroup: collections.updateGroup,
  deleteGroup: collections.deleteGroup,
  getUpload: documents.getUpload,
  getStorage: documents.getStorage,
  getDocument: documentPage.getDocument,
  getReadingView: documentPage.getReadingView,
  query: answers.query,
  searchPassages: answers.searchPassages,
  rateAnswer: answers.rateAnswer,
  getSuggestedQuestions: answers.getSuggestedQuestions,
  getAnalytics: analytics.getAnalytics,
  setQuestionSolved: analytics.setQuestionSolved,
  askAgain: analytics.askAgain,
  listFeedback: analytics.listFeedback,
  listAskers: analytics.listAskers,
  exportAnalytics: analytics.exportAnalytics,
  getAnalyticsSettings: analytics.getAnalyticsSettings,
  updateAnalyticsSettings: analytics.updateAnalyticsSettings,
  getChatAgent: agent.getChatAgent,
  saveChatAgent: agent.saveChatAgent,
  restoreChatAgent: agent.restoreChatAgent,
  tryChatAgent: agent.tryChatAgent,
  getAuditLog: audit.getAuditLog,
  exportAuditLog: audit.exportAuditLog,
  getAllowedAddresses: allowedAddresses.getAllowedAddresses,
  saveAllowedAddresses: allowedAddresses.saveAllowedAddresses,
  removeAllowedAddresses: allowedAddresses.removeAllowedAddresses,
  getCompanySettings: settings.getCompanySettings,
  updateCompany: settings.updateCompany,
  updateBrand: settings.updateBrand,
  setSessionDays: settings.setSessionDays,
  setSecondFactorRequired: settings.setSecondFactorRequired,
  setDigest: settings.setDigest,
  startExport: exports.startExport,
  startOwnExport: exports.startOwnExport,
  getExport: exports.getExport,
  listExports: exports.listExports,
  deleteCompany: companyEnd.deleteCompany,
  keepCompany: companyEnd.keepCompany,
} as const;

export type CallName = keyof typeof calls;
/** What a client may send (before defaults and trimming). */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;
/** What a handler receives. */
export type ParsedInput<Name extends CallName> = z.output<(typeof calls)[Name]['input']>;
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>;
export type CallMessage<Name extends CallName> = z.output<NonNullable<(typeof calls)[Name]['message']>>;
