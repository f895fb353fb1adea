import type { BoundStatement, Tx } from './db.ts';
import { fillPlaceholders, PgDialect, type SQL, sql } from './drizzle.ts';

const dialect = new PgDialect();

/**
 * A statement that every question or call sends: its text is made once, and each connection has PostgreSQL read and
 * plan it once (a prepared statement), which takes longer than to run it. Its text must be the same whatever the values
 * are: lists go in as arrays (`valueList`).
 * @param name of the statement at the server, which no other one has
 * @param statement with `sql.placeholder` for each value
 */
export function keptStatement<Values extends Record<string, unknown>, Row extends Record<string, unknown> = never>(
  name: string,
  statement: SQL,
) {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const bind = (values: Values): BoundStatement => ({ name, text, params: fillPlaceholders(params, values) });
  return {
    /** For `Database.statement`. */
    bind,
    /** Runs it in a transaction. Times come as text. */
    async run(tx: Tx, values: Values): Promise<Row[]> {
      const query = { sql: text, params: bind(values).params };
      const prepared = tx._.session.prepareQuery<{ execute: { rows: Row[] }; all: never; values: never }>(
        query,
        undefined,
        name,
        false,
      );
      return (await prepared.execute()).rows;
    },
  };
}

/**
 * A list of values of a kept statement, for `= any(...)` and `unnest(...)`. It stands behind a `select`, where the
 * planner does not see how long it is: a short one would have it take a plan of its own for the better one each time.
 */
export function valueList(name: string, type: 'int' | 'text' | 'uuid'): SQL {
  const array = sql.raw(`${type}[]`);
  return sql`(select ${sql.placeholder(name)}::${array})::${array}`;
}
