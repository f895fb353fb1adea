/** What the protocol answers where it does not do what was asked. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  /** What the answer says beside its code. */
  readonly more: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.more = more;
    this.headers = headers;
  }
}
