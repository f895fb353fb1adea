import type { Shape } from './document.ts';

/** One field, as it stands in the list of an input or output. */
export interface ShapeLine {
  /** From the top, as `sources[].quote`; empty for the whole. */
  path: string;
  type: string;
  required: boolean;
  about: string;
}

const maxDepth = 6;

/** All fields of a shape, those of what is in it below it. */
export function shapeLines(shape: Shape): ShapeLine[] {
  const fields = linesBelow(shape, '', 0);
  return fields.length > 0
    ? fields
    : [{ path: '', type: typeOf(shape), required: true, about: shape.description ?? '' }];
}

/** Whether nothing is sent, or answered. */
export function isNothing(shape: Shape): boolean {
  return alternativesOf(shape).every(
    ({ type, properties }) => type === 'null' || (properties && Object.keys(properties).length === 0),
  );
}

function linesBelow(shape: Shape, path: string, depth: number): ShapeLine[] {
  if (depth > maxDepth) return [];
  return alternativesOf(shape).flatMap((each) => {
    if (each.items) return linesBelow(each.items, `${path}[]`, depth + 1);
    return Object.entries(each.properties ?? {}).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const line = {
        path: at,
        type: typeOf(field),
        required: each.required?.includes(name) ?? false,
        about: field.description ?? '',
      };
      return [line, ...linesBelow(field, at, depth + 1)];
    });
  });
}

function alternativesOf({ anyOf, oneOf, ...shape }: Shape): Shape[] {
  return (anyOf ?? oneOf)?.flatMap(alternativesOf) ?? [shape];
}

function typeOf(shape: Shape): string {
  return [...new Set(alternativesOf(shape).map(nameOf))].join(' | ');
}

function nameOf({ type, items, enum: values, const: only, format, maxLength }: Shape): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items) return `list of ${typeOf(items)}`;
  if (Array.isArray(type)) return type.join(' | ');
  if (type === 'string') return format ?? (maxLength === undefined ? 'string' : `string, at most ${maxLength}`);
  return type ?? 'anything';
}
