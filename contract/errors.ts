/**
 * The error catalogue: every error that a call can answer with, its status on the wire and its default text.
 * Codes are stable; texts may be improved. `docs/errors.md` is generated from this file.
 */

/** Status names of the callable protocol with the HTTP code each one is sent with. */
export const httpStatus = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

export type Status = keyof typeof httpStatus;

const catalogue = {
  // The call itself
  'bad-request': ['INVALID_ARGUMENT', 'Bad Request'],
  'invalid-input': ['INVALID_ARGUMENT', 'The data sent is not valid.'],
  'too-large': ['INVALID_ARGUMENT', 'The request is too large.'],
  'unknown-call': ['NOT_FOUND', 'There is no such call.'],
  'too-many-requests': ['RESOURCE_EXHAUSTED', 'Too many requests. Please wait a moment and try again.'],
  'too-many-streams': [
    'RESOURCE_EXHAUSTED',
    'This was opened in too many places at once, so the oldest of them ended.',
  ],
  cancelled: ['CANCELLED', 'The request was cancelled.'],
  'deadline-exceeded': ['DEADLINE_EXCEEDED', 'The request took too long. Please try again.'],
  'request-timeout': ['DEADLINE_EXCEEDED', 'The request came too slowly. Please try again.'],
  internal: ['INTERNAL', 'INTERNAL'],
  unimplemented: ['UNIMPLEMENTED', 'This is not available yet.'],
  unavailable: ['UNAVAILABLE', 'The service is not available right now. Please try again.'],
  // Who is calling
  unauthenticated: ['UNAUTHENTICATED', 'Please sign in.'],
  'session-expired': ['UNAUTHENTICATED', 'Your session has ended. Please sign in again.'],
  'address-not-allowed': [
    'PERMISSION_DENIED',
    'Your company lets people in from its own network alone. Please connect to it and try again.',
  ],
  'permission-denied': ['PERMISSION_DENIED', 'You do not have permission to do this.'],
  'subscription-required': ['PERMISSION_DENIED', 'Your subscription does not allow this right now.'],
  'feature-not-in-plan': ['PERMISSION_DENIED', 'Your plan does not include this.'],
  'invalid-api-key': ['UNAUTHENTICATED', 'This API key is not valid, or not any more.'],
  'invalid-app-token': ['UNAUTHENTICATED', 'This app is not connected, or not any more. Please connect it again.'],
  'api-key-scope': ['PERMISSION_DENIED', 'The scope of this API key does not allow this.'],
  'not-for-api-keys': ['PERMISSION_DENIED', 'API keys cannot do this. Please sign in.'],
  // API keys
  'api-key-not-found': ['NOT_FOUND', 'This API key is revoked already, or is not yours.'],
  'too-many-api-keys': ['FAILED_PRECONDITION', 'There are too many API keys. Please revoke some first.'],
  // Connected apps
  'app-request-ended': [
    'FAILED_PRECONDITION',
    'This is no longer being asked for, or was begun in another browser. Please begin again in the app.',
  ],
  'app-not-found': ['NOT_FOUND', 'This app is disconnected already, or is not yours.'],
  'too-many-apps': ['FAILED_PRECONDITION', 'There are too many connected apps. Please disconnect some first.'],
  // Webhooks
  'webhook-not-found': ['NOT_FOUND', 'This webhook does not exist, or not any more.'],
  'too-many-webhooks': ['FAILED_PRECONDITION', 'There are too many webhooks. Please delete some first.'],
  'delivery-not-found': ['NOT_FOUND', 'This event is not in the log any more, or what it tells of is gone.'],
  'delivery-waiting': ['FAILED_PRECONDITION', 'This event is about to be sent already.'],
  // Identity
  'invalid-credentials': ['UNAUTHENTICATED', 'Failed to log in. Please check your email and password.'],
  'email-already-in-use': ['ALREADY_EXISTS', 'This email is already registered. Please log in.'],
  'signup-closed': ['FAILED_PRECONDITION', 'Sign-up is closed. Please ask your admin for an invitation.'],
  'second-factor-required': ['FAILED_PRECONDITION', 'Please prove your second factor.'],
  'invalid-second-factor': ['INVALID_ARGUMENT', 'This code or passkey was not accepted.'],
  'second-factor-missing': ['PERMISSION_DENIED', 'Your company asks for a second factor. Please set one up first.'],
  'second-factor-elsewhere': ['FAILED_PRECONDITION', 'Your passwords are kept by another service: set it up there.'],
  'second-factor-kept': ['FAILED_PRECONDITION', 'Your company asks for a second factor, so you need to keep one.'],
  'second-factor-not-found': ['NOT_FOUND', 'This second factor is gone.'],
  'passkeys-not-possible': ['FAILED_PRECONDITION', 'Passkeys need an address with https and a name.'],
  'own-second-factor-first': ['FAILED_PRECONDITION', 'Please set up a second factor for yourself first.'],
  'session-not-found': ['NOT_FOUND', 'This session has ended already, or is not yours.'],
  'weak-password': ['INVALID_ARGUMENT', 'Please choose a password of 12 to 128 characters that is hard to guess.'],
  'invalid-code': ['INVALID_ARGUMENT', 'This password reset link is invalid or has expired. Please try again.'],
  'invalid-confirmation-code': [
    'INVALID_ARGUMENT',
    'This confirmation link is invalid or has expired. Please log in and send it again.',
  ],
  'invalid-company-name': [
    'INVALID_ARGUMENT',
    'A company name cannot contain web addresses, e-mail addresses or line breaks.',
  ],
  'set-up-code-required': [
    'FAILED_PRECONDITION',
    'Please open the set-up link that the service printed when it started.',
  ],
  'company-ending': [
    'PERMISSION_DENIED',
    'Your company is being deleted, and closed until then. One of its admins can still keep it.',
  ],
  'company-name-differs': ['INVALID_ARGUMENT', 'This is not the name of your company.'],
  'company-erased': ['FAILED_PRECONDITION', 'The company is being erased. It cannot be kept any more.'],
  'recent-sign-in-required': ['FAILED_PRECONDITION', 'Please confirm your password to do this.'],
  // Team
  'user-not-found': ['NOT_FOUND', 'This person is not in your company.'],
  'email-not-confirmed': [
    'FAILED_PRECONDITION',
    'Please confirm your email address before you invite people. We have sent you a link.',
  ],
  'email-not-invitable': ['FAILED_PRECONDITION', 'This email cannot be invited.'],
  'already-in-team': ['ALREADY_EXISTS', 'This person is already in your company.'],
  'not-invited': ['FAILED_PRECONDITION', 'This person has no open invitation.'],
  'seats-used-up': ['FAILED_PRECONDITION', 'All seats of your plan are used.'],
  'own-account': ['FAILED_PRECONDITION', 'You cannot do this to your own account.'],
  'last-admin': ['FAILED_PRECONDITION', 'A company needs at least one admin.'],
  // Billing
  'billing-off': ['FAILED_PRECONDITION', 'Payment is switched off here: every feature is on.'],
  'unknown-price': ['INVALID_ARGUMENT', 'This plan is not on sale.'],
  'already-subscribed': [
    'ALREADY_EXISTS',
    'Your company already has a subscription. You can change it in the settings.',
  ],
  'no-subscription': ['FAILED_PRECONDITION', 'Your company has no subscription. Please choose a plan first.'],
  'same-plan': ['FAILED_PRECONDITION', 'This is the plan that you have.'],
  'seats-in-use': ['FAILED_PRECONDITION', 'This plan has fewer seats than your company uses.'],
  'subscription-ending': ['FAILED_PRECONDITION', 'Your subscription is about to end. Please reactivate it first.'],
  'payment-overdue': ['FAILED_PRECONDITION', 'A payment is missing. Please settle the open invoice first.'],
  'quote-outdated': ['ABORTED', 'The amount has changed since it was shown. Please look at it again.'],
  'bad-signature': ['INVALID_ARGUMENT', 'The signature is missing, wrong or too old.'],
  'unknown-customer': ['NOT_FOUND', 'This customer is not known here.'],
  // Answers
  'idempotency-key-reused': [
    'INVALID_ARGUMENT',
    'This Idempotency-Key was sent with another question. Please send each question with a key of its own.',
  ],
  'answer-gone': [
    'ABORTED',
    'Documents that this answer came from have been deleted or hidden since. Please ask again.',
  ],
  // Documents
  'file-not-found': ['NOT_FOUND', 'This file does not exist or has been deleted.'],
  'invalid-file-name': ['INVALID_ARGUMENT', 'A file name cannot be empty or contain slashes or control characters.'],
  'unsupported-format': ['INVALID_ARGUMENT', 'This kind of file cannot be read.'],
  'file-empty': ['INVALID_ARGUMENT', 'This file is empty.'],
  'file-too-large': ['INVALID_ARGUMENT', 'This file is too large.'],
  'upload-not-found': ['NOT_FOUND', 'This upload does not exist or has ended.'],
  'upload-conflict': [
    'ABORTED',
    'Something else has written to this upload. Please ask how far it is, and go on there.',
  ],
  'collection-not-found': ['NOT_FOUND', 'This collection does not exist or has been deleted.'],
  'collection-name-taken': ['ALREADY_EXISTS', 'There is a collection of this name already.'],
  'company-collection': ['FAILED_PRECONDITION', 'Everyone sees this collection, and it always stays.'],
  'moves-with-mail': ['FAILED_PRECONDITION', 'An attachment is where its mail is. Please move the mail.'],
  'group-not-found': ['NOT_FOUND', 'This group does not exist or has been deleted.'],
  'group-name-taken': ['ALREADY_EXISTS', 'There is a group of this name already.'],
  'not-retryable': ['FAILED_PRECONDITION', 'Only a file that failed or was partly readable can be tried again.'],
  'company-storage-full': [
    'FAILED_PRECONDITION',
    "Your company's storage is full. Please delete files that are no longer needed.",
  ],
  'too-many-uploads': [
    'RESOURCE_EXHAUSTED',
    'Too many uploads of your company are under way. Please finish or remove some first.',
  ],
  'storage-full': ['UNAVAILABLE', 'There is no space left to store files. Please tell whoever runs this service.'],
  // Export
  'export-not-found': ['NOT_FOUND', 'This export does not exist any more. Please start it again.'],
  'export-running': ['ALREADY_EXISTS', 'An export is being made already. Please wait until it is ready.'],
  // Answers
  'answer-not-found': ['NOT_FOUND', 'This answer does not exist, or is not yours.'],
  // Analytics
  'question-not-found': ['NOT_FOUND', 'This question is not in the analytics any more.'],
  'names-not-shown': ['FAILED_PRECONDITION', 'Your company has switched off names in analytics.'],
  // Settings
  'invalid-logo': ['INVALID_ARGUMENT', 'The logo must be a PNG of at most 800 × 200 pixels and 200 KB.'],
  'invalid-address-range': ['INVALID_ARGUMENT', 'This is not an address or range of addresses.'],
  'too-many-address-ranges': ['INVALID_ARGUMENT', 'A list can have 100 ranges of addresses.'],
  'own-address-missing': [
    'FAILED_PRECONDITION',
    'Your own address has to be on the list, or you would lock yourself out.',
  ],
  'agent-version-not-found': ['NOT_FOUND', 'This version of the assistant does not exist any more.'],
  // Single sign-on
  'single-sign-on-elsewhere': [
    'FAILED_PRECONDITION',
    'Single sign-on is set up at the service that keeps the passwords here. Please ask whoever runs this service.',
  ],
  'single-sign-on-not-found': ['NOT_FOUND', 'Single sign-on is not set up for this email.'],
  'single-sign-on-required': [
    'FAILED_PRECONDITION',
    'Your company signs in with single sign-on. Please enter your email and choose "Continue with SSO".',
  ],
  'single-sign-on-expired': [
    'FAILED_PRECONDITION',
    'This sign-in took too long or was begun elsewhere. Please try again.',
  ],
  'single-sign-on-refused': ['PERMISSION_DENIED', "Your company's sign-in service did not let you in."],
  'single-sign-on-unreachable': [
    'FAILED_PRECONDITION',
    "Your company's sign-in service cannot be reached. Please try again later, or tell an admin of your company.",
  ],
  'single-sign-on-failed': [
    'FAILED_PRECONDITION',
    "What your company's sign-in service answered could not be trusted. Please tell an admin of your company.",
  ],
  'single-sign-on-unknown-person': [
    'PERMISSION_DENIED',
    'You cannot sign in here with this account. Please tell an admin of your company.',
  ],
  'single-sign-on-untested': [
    'FAILED_PRECONDITION',
    'Please verify a domain and try the sign-in yourself before it becomes the only way in.',
  ],
  'domain-not-proved': [
    'FAILED_PRECONDITION',
    'The record was not found. A change can take a while to be seen everywhere. Please try again later.',
  ],
  'domain-taken': ['FAILED_PRECONDITION', 'Another company has verified this domain here.'],
  'domain-not-found': ['NOT_FOUND', 'This domain is not on the list.'],
  'too-many-domains': ['FAILED_PRECONDITION', 'A company can have 50 domains.'],
  // Requests to addresses that a company has named. It is not this service that is unavailable: nobody asks it again.
  'outbound-address-invalid': ['INVALID_ARGUMENT', 'This address cannot be used. It has to begin with https://.'],
  'outbound-not-public': [
    'FAILED_PRECONDITION',
    'This address does not lead to a server on the internet. Please check its spelling. If the server is in your own network, whoever runs this service has to allow it.',
  ],
  'outbound-unreachable': [
    'FAILED_PRECONDITION',
    'The server at this address did not answer as it should. Please check that it runs and that its certificate is valid.',
  ],
  'outbound-timeout': ['FAILED_PRECONDITION', 'The server at this address took too long. Please try again later.'],
  'outbound-too-large': ['FAILED_PRECONDITION', 'The server at this address sent more than is read.'],
  'outbound-redirected': [
    'FAILED_PRECONDITION',
    'The server at this address leads to another one. Please enter the address that it leads to.',
  ],
} as const satisfies Record<string, readonly [Status, string]>;

export type ErrorCode = keyof typeof catalogue;
export const errorCodes = Object.keys(catalogue) as ErrorCode[];

/** What stands on the wire under `error`. `details.code` carries the code of the catalogue. */
export interface WireError {
  status: Status;
  message: string;
  details?: Record<string, unknown> | undefined;
}

/** An error of the catalogue, the same class on the server (thrown) and in the browser (parsed from the wire). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: Status;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, options: { message?: string; details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(options.message ?? catalogue[code][1], { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = catalogue[code][0];
    this.details = options.details ?? {};
  }

  toWire(): WireError {
    return { status: this.status, message: this.message, details: { ...this.details, code: this.code } };
  }

  /** Reads an error off the wire; one without a known code becomes the nearest of the catalogue. */
  static fromWire(wire: Partial<WireError>): AppError {
    const code = wire.details?.code;
    const known = errorCodes.find((each) => each === code) ?? nearest[wire.status ?? 'INTERNAL'] ?? 'internal';
    const options: { message?: string; details?: Record<string, unknown> } = {};
    if (wire.message !== undefined) options.message = wire.message;
    if (wire.details !== undefined) options.details = wire.details;
    return new AppError(known, options);
  }
}

const nearest: Partial<Record<Status, ErrorCode>> = {
  INVALID_ARGUMENT: 'invalid-input',
  UNAUTHENTICATED: 'unauthenticated',
  PERMISSION_DENIED: 'permission-denied',
  NOT_FOUND: 'unknown-call',
  RESOURCE_EXHAUSTED: 'too-many-requests',
  CANCELLED: 'cancelled',
  UNIMPLEMENTED: 'unimplemented',
  UNAVAILABLE: 'unavailable',
  DEADLINE_EXCEEDED: 'deadline-exceeded',
};
