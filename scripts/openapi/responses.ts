import { commonErrors } from '#contract/call-errors.ts';
import { AppError, type ErrorCode, errorCodes, httpStatus } from '#contract/errors.ts';

/** By HTTP status: what this call adds to what every call may answer. */
export function errorResponses(own: readonly ErrorCode[]): Record<string, unknown> {
  const common = Object.keys(byStatus(commonErrors));
  const of = byStatus(own);
  return Object.fromEntries(
    [...new Set([...common, ...Object.keys(of)])].sort().map((status) => {
      const codes = of[status];
      if (!codes) return [status, { $ref: `#/components/responses/Error${status}` }];
      const also = common.includes(status) ? '\n\nAlso what every call may answer.' : '';
      return [status, errorResponse(listed(codes) + also)];
    }),
  );
}

/** What every call may answer, by name. */
export function commonResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(byStatus(commonErrors)).map(([status, codes]) => [`Error${status}`, errorResponse(listed(codes))]),
  );
}

function byStatus(codes: readonly ErrorCode[]): Record<string, ErrorCode[]> {
  const of: Record<string, ErrorCode[]> = {};
  for (const code of codes) {
    const status = String(httpStatus[new AppError(code).status]);
    of[status] = [...(of[status] ?? []), code];
  }
  return of;
}

function listed(codes: ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${new AppError(code).message}`).join('\n\n');
}

function errorResponse(about: string): unknown {
  return { description: about, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

export const errorSchema = {
  type: 'object',
  description: 'Why a call failed. `details.code` is the code, which stays; the message may be improved.',
  properties: {
    error: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: Object.keys(httpStatus) },
        message: { type: 'string', description: 'A sentence for people.' },
        details: {
          type: 'object',
          description: 'What belongs to the code, as `retryAfterSeconds` to `too-many-requests`.',
          properties: { code: { type: 'string' } },
          required: ['code'],
          additionalProperties: true,
        },
      },
      required: ['status', 'message', 'details'],
    },
  },
  required: ['error'],
};

/** Every code with the status that goes with it, and its usual words. */
export const errorTexts = Object.fromEntries(
  errorCodes.map((code) => {
    const { status, message } = new AppError(code);
    return [code, { status, http: httpStatus[status], message }];
  }),
);
