import type { Schema } from './schemas.ts';

/** What the new schema refuses that the old one took, each with the place where. */
export function refusedNow(before: Schema, now: Schema, path: string): string[] {
  if (isUnion(before) || isUnion(now)) {
    return alternativesOf(before).flatMap((old) => {
      const best = fewest(alternativesOf(now).map((each) => refusedNow(old, each, path)));
      return best ?? [];
    });
  }
  if (isAnything(now)) return [];
  if (isAnything(before)) return [`${path}: takes not everything any more`];
  if (before.type !== now.type && !(before.type === 'integer' && now.type === 'number')) {
    return [`${path}: takes ${String(now.type)} and no ${String(before.type)}`];
  }
  return [
    ...refusedValues(before, now, path),
    ...refusedFields(before, now, path),
    ...(before.items && now.items ? refusedNow(before.items, now.items, `${path}[]`) : []),
    ...(before.items || !now.items ? [] : [`${path}[]: takes not everything any more`]),
  ];
}

/** What a reader of the old schema does not find, or finds otherwise, in what the new one describes. */
export function unreadableNow(before: Schema, now: Schema, path: string): string[] {
  if (isUnion(before) || isUnion(now)) return unreadableAlternatives(before, now, path);
  if (isAnything(before)) return [];
  if (before.type !== now.type && !(before.type === 'number' && now.type === 'integer')) {
    return [`${path}: was ${String(before.type)}, is ${String(now.type ?? 'anything')}`];
  }
  const said = [];
  if (before.const !== undefined && before.const !== now.const)
    said.push(`${path}: was always ${String(before.const)}`);
  if (before.enum && !now.enum && now.const === undefined) said.push(`${path}: had a list of values`);
  if (before.format !== undefined && before.format !== now.format) said.push(`${path}: was a ${before.format}`);
  for (const [name, old] of Object.entries(before.properties ?? {})) {
    const field = now.properties?.[name];
    const at = `${path}.${name}`;
    if (!field) said.push(`${at}: is gone`);
    else {
      if (before.required?.includes(name) && !now.required?.includes(name)) said.push(`${at}: may be absent`);
      said.push(...unreadableNow(old, field, at));
    }
  }
  if (before.items && now.items) said.push(...unreadableNow(before.items, now.items, `${path}[]`));
  return said;
}

/** Of a union that tells its members apart by a value of `type`, new members may come, as new values may. */
function unreadableAlternatives(before: Schema, now: Schema, path: string): string[] {
  const old = alternativesOf(before);
  const marks = old.map(markOf);
  const found = alternativesOf(now).flatMap((each) => {
    const mark = markOf(each);
    if (mark !== undefined && marks.every((known) => known !== undefined) && !marks.includes(mark)) return [];
    return fewest(old.map((known) => unreadableNow(known, each, path))) ?? [];
  });
  const there = alternativesOf(now).map(markOf);
  const gone = marks.filter((mark) => mark !== undefined && !there.includes(mark));
  return [...found, ...gone.map((mark) => `${path}: ${String(mark)} comes no more`)];
}

function markOf(schema: Schema): unknown {
  return schema.properties?.type?.const;
}

function refusedValues(before: Schema, now: Schema, path: string): string[] {
  const said: string[] = [];
  const some = valuesOf(now);
  const had = valuesOf(before);
  if (some && !had) said.push(`${path}: takes certain values only`);
  for (const value of some && had ? had.filter((each) => !some.includes(each)) : []) {
    said.push(`${path}: takes no ${JSON.stringify(value)}`);
  }
  for (const most of ['maxLength', 'maxItems', 'maximum'] as const) {
    if ((now[most] ?? Infinity) < (before[most] ?? Infinity)) said.push(`${path}: ${most} is ${now[most]}`);
  }
  for (const least of ['minLength', 'minItems', 'minimum', 'exclusiveMinimum'] as const) {
    const usual = least === 'minimum' || least === 'exclusiveMinimum' ? -Infinity : 0;
    if ((now[least] ?? usual) > (before[least] ?? usual)) said.push(`${path}: ${least} is ${now[least]}`);
  }
  for (const form of ['pattern', 'format'] as const) {
    if (now[form] !== undefined && now[form] !== before[form]) said.push(`${path}: has to be of ${form} ${now[form]}`);
  }
  return said;
}

function refusedFields(before: Schema, now: Schema, path: string): string[] {
  const had = before.properties ?? {};
  const required = (now.required ?? []).filter((name) => !before.required?.includes(name));
  const closed = now.additionalProperties === false;
  return [
    ...required.map((name) => `${path}.${name}: has to be sent`),
    ...(closed && before.type === 'object' && before.additionalProperties !== false
      ? [`${path}: takes no other fields`]
      : []),
    ...Object.entries(had).flatMap(([name, old]) => {
      const field = now.properties?.[name];
      if (field) return refusedNow(old, field, `${path}.${name}`);
      return closed ? [`${path}.${name}: is not taken`] : [];
    }),
  ];
}

function valuesOf({ const: only, enum: some }: Schema): unknown[] | undefined {
  return some ?? (only === undefined ? undefined : [only]);
}

function alternativesOf({ type, anyOf, oneOf, ...rest }: Schema): Schema[] {
  if (Array.isArray(type)) return type.map((each) => ({ ...rest, type: each }));
  return (anyOf ?? oneOf)?.flatMap(alternativesOf) ?? [{ ...rest, ...(type !== undefined && { type }) }];
}

function isUnion({ type, anyOf, oneOf }: Schema): boolean {
  return Array.isArray(type) || anyOf !== undefined || oneOf !== undefined;
}

function isAnything({ type, anyOf, oneOf, const: only, enum: some }: Schema): boolean {
  return [type, anyOf, oneOf, only, some].every((each) => each === undefined);
}

function fewest(lists: string[][]): string[] | undefined {
  return lists.toSorted((a, b) => a.length - b.length)[0];
}
