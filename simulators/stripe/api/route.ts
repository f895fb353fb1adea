import { z } from 'zod';
import type { World } from '../world/world.ts';
import { existing } from './errors.ts';
import { parse, text, whole } from './form.ts';
import { listOf } from './list.ts';

/** One operation of the API. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Its path, with `:id` where an id stands. */
  path: string;
  /** @param given the decoded parameters without `expand` */
  handle: (world: World, given: unknown, id: string) => object;
}

export function route<Input>(
  method: Route['method'],
  path: string,
  schema: z.ZodType<Input>,
  run: (world: World, input: Input, id: string) => object,
): Route {
  return { method, path, handle: (world, given, id) => run(world, parse(schema, given), id) };
}

/** The parameters that every list takes. */
export const paging = {
  limit: whole.pipe(z.int().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

export interface Paging {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** The rows that have what a list is filtered by; a parameter that is not given leaves all of them. */
export function having<Row extends object>(
  rows: Iterable<Row>,
  wanted: { [Name in keyof Row]?: Row[Name] | undefined },
): Row[] {
  const names = Object.keys(wanted) as (keyof Row)[];
  return [...rows].filter((row) => names.every((name) => wanted[name] === undefined || row[name] === wanted[name]));
}

/** One page of the rows, newest first, as the provider cuts it. */
export function page<Row extends { id: string }, Out>(
  rows: Iterable<Row>,
  { limit, starting_after: after, ending_before: before }: Paging,
  url: string,
  serialize: (row: Row) => Out,
) {
  const all = [...rows].reverse();
  const indexOf = (id: string) => {
    existing(
      all.find((row) => row.id === id),
      'object',
      id,
      'starting_after',
    );
    return all.findIndex((row) => row.id === id);
  };
  if (before !== undefined) {
    const end = indexOf(before);
    const start = Math.max(0, end - limit);
    return listOf(all.slice(start, end).map(serialize), url, start > 0);
  }
  const start = after === undefined ? 0 : indexOf(after) + 1;
  return listOf(all.slice(start, start + limit).map(serialize), url, start + limit < all.length);
}

/** Metadata after an update: null takes all away, an empty value its key. */
export function merged(old: Record<string, string>, given: Record<string, string> | null | undefined) {
  if (given === undefined) return old;
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...old, ...given }).filter(([, value]) => value !== ''));
}
