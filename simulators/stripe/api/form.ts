import { z } from 'zod';
import { StripeFailure } from './errors.ts';

/** Decoded parameters: text at the leaves, `a[b]` as records, `a[0]` and `a[]` as lists. */
export type Decoded = string | Decoded[] | { [key: string]: Decoded };

/** Decodes `items[0][price]=x&metadata[a]=b`, as the SDK writes bodies and query strings. */
export function decodeForm(text: string): { [key: string]: Decoded } {
  const root: { [key: string]: Decoded } = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([part]) => part);
    place(root, path, value);
  }
  const listed = lists(root);
  return typeof listed === 'object' && !Array.isArray(listed) ? listed : {};
}

function place(root: { [key: string]: Decoded }, path: string[], value: string): void {
  let at = root;
  for (const [index, part] of path.entries()) {
    const key = part === '[]' ? String(Object.keys(at).length) : part;
    if (index === path.length - 1) {
      at[key] = value;
      return;
    }
    const below = at[key];
    if (typeof below === 'object' && !Array.isArray(below)) at = below;
    else {
      const made: { [key: string]: Decoded } = Object.create(null);
      at[key] = made;
      at = made;
    }
  }
}

/** Records whose keys count up from 0 are lists. */
function lists(value: Decoded): Decoded {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, lists(each)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** Parameters as they are written in a form. */
export const text = z.string().min(1).max(5000);
export const whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** An empty text takes a value away. */
export const clearable = z.string().transform((value) => (value === '' ? null : value));
/** An empty value of a key takes the key away, an empty text all of them. */
export const metadata = z
  .union([z.literal(''), z.record(z.string(), z.string().max(500))])
  .transform((value) => (value === '' ? null : value));

/**
 * A set of parameters. Its names must be those of the SDK's own type, so that a misspelt one does not compile; one that
 * the simulator does not know is refused when it comes, like one that the provider does not know.
 */
export function params<Known>() {
  return <Shape extends Record<string, z.ZodType>>(
    shape: Shape & Record<Exclude<keyof Shape, keyof Known>, never>,
  ): z.ZodObject<Shape, z.core.$strict> => z.strictObject<Shape>(shape);
}

/** @throws StripeFailure in the provider's words: unknown, missing or invalid parameter */
export function parse<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    throw refused(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
  }
  const param = nameOf(issue?.path ?? []);
  if (issue?.code === 'invalid_type' && valueAt(given, issue.path) === undefined) {
    throw refused(`Missing required param: ${param}.`, 'parameter_missing', param);
  }
  throw refused(`Invalid ${param}: ${issue?.message}`, 'parameter_invalid', param);
}

function refused(message: string, code: string, param: string): StripeFailure {
  return new StripeFailure(400, 'invalid_request_error', message, { code, param });
}

function nameOf(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  let at = given;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.entries(at).find(([key]) => key === String(part))?.[1];
  }
  return at;
}
