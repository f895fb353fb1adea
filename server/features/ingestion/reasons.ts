/**
 * Why a file could not be read, in the words that its owner sees: what is the matter, and what to do about it.
 * Codes are stable; texts may be improved.
 */
export const reasons = {
  unsupported: 'This kind of file cannot be read.',
  empty: 'This file is empty.',
  password: 'It is protected by a password. Please remove the password and upload it again.',
  damaged: 'It is damaged or incomplete and cannot be opened. Please save it again in its program and upload that.',
  'too-large-unpacked': 'It is far larger when unpacked than is safe to read. Please split it into smaller files.',
  'copy-protected':
    'It is protected against copying (DRM) and cannot be read. Please upload a copy without protection.',
  'too-deep': 'It is nested too deeply to be read safely. Please save it again in its program and upload that.',
  'too-many-pages': 'It has more than 5,000 pages. Please split it into smaller files.',
  'too-much-text': 'It holds more text than one document may. Please split it into smaller files.',
  'too-slow': 'Reading it took too long. Please split it into smaller files, or save it again in its program.',
  'too-much-memory': 'Reading it needs too much memory. Please split it into smaller files.',
  'no-text':
    'No text could be recognised in it. Please scan it again (upright, 300 dpi), or upload the original it was made from.',
  'nothing-inside': 'It has no text in it.',
} as const;

export type ReasonCode = keyof typeof reasons;

export function isReasonCode(code: unknown): code is ReasonCode {
  return typeof code === 'string' && Object.hasOwn(reasons, code);
}

/** The file cannot be read, and trying again would not change that. `reason` is a plain sentence for its owner. */
export class ParseFailure extends Error {
  readonly reason: string;
  readonly code: ReasonCode;

  constructor(reason: string, code: ReasonCode = 'unsupported') {
    super(reason);
    this.name = 'ParseFailure';
    this.reason = reason;
    this.code = code;
  }

  static of(code: ReasonCode): ParseFailure {
    return new ParseFailure(reasons[code], code);
  }
}
