/** An error as the provider answers it: `{"error": {type, code, message, param, decline_code}}`. */
export class StripeFailure extends Error {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly declineCode: string | undefined;

  constructor(
    status: number,
    type: StripeFailure['type'],
    message: string,
    details: { code?: string | undefined; param?: string | undefined; declineCode?: string | undefined } = {},
  ) {
    super(message);
    this.name = 'StripeFailure';
    this.status = status;
    this.type = type;
    this.code = details.code;
    this.param = details.param;
    this.declineCode = details.declineCode;
  }

  toWire(requestId: string): object {
    return {
      error: {
        type: this.type,
        message: this.message,
        ...(this.code !== undefined && { code: this.code }),
        ...(this.param !== undefined && { param: this.param }),
        ...(this.declineCode !== undefined && { decline_code: this.declineCode }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
      },
    };
  }
}

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): StripeFailure {
  return new StripeFailure(400, 'invalid_request_error', message, details);
}

/** @param kind as the provider words it: `customer`, `checkout.session` */
export function noSuch(kind: string, id: string, param = 'id'): StripeFailure {
  return new StripeFailure(404, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

/** The value, or the error that a wrong id is answered with. */
export function existing<T>(value: T | undefined, kind: string, id: string, param?: string): T {
  if (value === undefined) throw noSuch(kind, id, param);
  return value;
}
