import { pgPolicy, pgRole, sql } from '../drizzle.ts';

/** The role that `asCompany` takes on: it has grants, owns nothing and can't bypass row-level security. */
export const appRole = pgRole('footnote_app').existing();

// The sub-select makes PostgreSQL evaluate the setting once per query instead of once per row (5 times faster).
const currentCompany = sql`(select nullif(current_setting('app.company_id', true), '')::uuid)`;

/** Only rows of the company that the transaction is for. @param column that names the company */
export function ofCompany(column = 'company_id') {
  const condition = sql`${sql.raw(column)} = ${currentCompany}`;
  return pgPolicy('of_company', { for: 'all', to: appRole, using: condition, withCheck: condition });
}

/**
 * The collections that the reader of a transaction sees: null is all of them. `asActor` asks once for them, by
 * `visible_collections()` (`0027_collections.sql`): asked for each row, or by each policy of a statement, they would
 * take most of its time.
 */
export const collectionsSeen = sql`(select nullif(current_setting('app.collections', true), '')::uuid[])`;
/** Whether the reader of a transaction sees everything. */
export const seesAll = sql`${collectionsSeen} is null`;

/** On top of `ofCompany()`: only where everything is seen. */
export const forUnrestricted = () =>
  pgPolicy('of_unrestricted', { as: 'restrictive', for: 'all', to: appRole, using: seesAll, withCheck: seesAll });

/**
 * On top of `ofCompany()`: only what is in a collection that the reader sees. Where all is seen the array is null, and
 * so is the comparison: it is made once, and what is hidden takes hardly longer than what is not there.
 */
export function inVisibleCollection(column: string, isNullSeen: boolean) {
  const name = sql.raw(column);
  const none = isNullSeen ? sql` or ${name} is null` : sql``;
  const condition = sql`(${name} = any(${collectionsSeen}::uuid[])) is not false${none}`;
  return pgPolicy('of_collection', {
    as: 'restrictive',
    for: 'all',
    to: appRole,
    using: condition,
    withCheck: condition,
  });
}

/** On top of `ofCompany()`, for what hangs on a document: only where the document is seen. */
export function ofVisibleDocument(table: string) {
  const name = sql.raw(table);
  const condition = sql`${seesAll} or exists (select from documents as seen where seen.company_id = ${name}.company_id and seen.id = ${name}.document_id)`;
  return pgPolicy('of_document', {
    as: 'restrictive',
    for: 'all',
    to: appRole,
    using: condition,
    withCheck: condition,
  });
}
