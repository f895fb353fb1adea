import type { CallName } from '#contract/calls.ts';
import { AppError } from '#contract/errors.ts';
import { onReconnect } from '#web/lib/connection.ts';

/**
 * The calls that may be repeated: the browser's copy of `idempotent` in the contract, which carries zod and so stays on
 * the server. A test holds the two together.
 */
const idempotentCalls: readonly CallName[] = [
  'refreshSession',
  'signOut',
  'verifyResetCode',
  'confirmEmail',
  'setDisplayName',
  'listSessions',
  'listApiKeys',
  'getAppRequest',
  'listConnectedApps',
  'updateWebhook',
  'listWebhooks',
  'getWebhookLog',
  'getAccountSecurity',
  'setSignInMails',
  'beginSingleSignOn',
  'confirmBySingleSignOn',
  'getSingleSignOn',
  'testSingleSignOn',
  'getSession',
  'getSettings',
  'getPlans',
  'listUsers',
  'getCompanyFiles',
  'getGoneDocuments',
  'watchFiles',
  'getFileLink',
  'deleteFiles',
  'tagFiles',
  'listCollections',
  'listGroups',
  'getUpload',
  'getStorage',
  'getDocument',
  'getReadingView',
  'searchPassages',
  'rateAnswer',
  'getSuggestedQuestions',
  'getAnalytics',
  'listFeedback',
  'listAskers',
  'getAnalyticsSettings',
  'getChatAgent',
  'getAuditLog',
  'getAllowedAddresses',
  'getCompanySettings',
  'setDigest',
  'getExport',
  'listExports',
  'keepCompany',
  'createCheckoutSession',
  'syncSubscription',
  'createPortalSession',
  'getBilling',
  'previewPlanChange',
  'cancelSubscription',
  'resumeSubscription',
];

export function isIdempotent(name: CallName): boolean {
  return idempotentCalls.includes(name);
}

/** Milliseconds after which nothing is tried again. */
export const retryWindow = 120_000;
const first = 500;
const maxDelayMs = 15_000;

/** Milliseconds to wait before each new try; they sum to at most `retryWindow`. */
export function retryPlan(): number[] {
  const plan: number[] = [];
  let sum = 0;
  for (let delay = first; sum + delay <= retryWindow; delay = Math.min(delay * 2, maxDelayMs)) {
    plan.push(delay);
    sum += delay;
  }
  return plan;
}

/**
 * Tries again while the service can't be reached, with growing pauses, for at most `retryWindow` in all: tries
 * included.
 * @throws the last error
 */
export async function withRetry<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = Date.now() + retryWindow;
  for (const delay of retryPlan()) {
    try {
      return await work();
    } catch (error) {
      // A random part, so that browsers cut off together don't come back together.
      const wait = delay * (0.75 + Math.random() / 4);
      if (!mayPass(error) || Date.now() + wait > end) throw error;
      await pause(wait, signal);
    }
  }
  return work();
}

function mayPass(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** Ends early when the server is there again: nobody waits any longer than it was away. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      forget();
      signal?.removeEventListener('abort', stop);
    };
    const go = () => {
      end();
      resolve();
    };
    const stop = () => {
      end();
      reject(new AppError('cancelled'));
    };
    const timer = setTimeout(go, milliseconds);
    const forget = onReconnect(go);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
