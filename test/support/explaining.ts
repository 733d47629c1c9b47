import { type RawBuilder, sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import type { RowsOf, Steps } from '#platform/postgres/hot-sql.ts';

export interface PlannedStatement {
  /** Text with parameters as `$n`. */
  statement: string;
  /** Tables that the plan scans. */
  scanned: string[];
  /** Indexes that it uses. */
  indexes: string[];
}

/** Cost below which the planner scans a partition that has a page of rows, or none: its index would cost as much. */
const LEAST_COST = 10;

function isScan(node: PlanNode): boolean {
  const isSmallPart = wholeOf(node['Relation Name'] ?? '') !== node['Relation Name'] && node['Total Cost'] < LEAST_COST;
  return node['Node Type'] === 'Seq Scan' && !isSmallPart;
}

/** A partition is told as the table that it is part of. */
function wholeOf(table: string): string {
  return table.replace(/^(transcript_segment)_\d+$/, '$1');
}

interface PlanNode {
  'Node Type': string;
  'Total Cost': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

interface Explained {
  'QUERY PLAN': { Plan: PlanNode }[];
}

const LOOKED_AT =
  /\b(contact|attempt|batch|outbox|campaign|do_not_call|audit_log|transcript_segment|softphone_call|conference_session|runtime_event)\b/;

/** The same database, which also has each statement explained before it runs, with the same parameters. */
export function explaining(db: Database): { db: Database; planned: PlannedStatement[] } {
  const planned: PlannedStatement[] = [];
  const explainWith =
    (rows: (statement: RawBuilder<Explained>) => Promise<Explained[]>) =>
    async (statement: RawBuilder<unknown>): Promise<void> => {
      const text = statement.compile(db.em.getKysely()).sql;
      if (!LOOKED_AT.test(text)) return;
      const [row] = await rows(sql<Explained>`explain (format json) ${statement}`);
      const nodes = (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flatten(Plan));
      planned.push({
        statement: text.replaceAll(/\s+/g, ' ').trim(),
        scanned: nodes.filter(isScan).map(node => wholeOf(node['Relation Name'] ?? '')),
        indexes: nodes.flatMap(node => node['Index Name'] ?? []),
      });
    };
  const wrap = (inner: Sql): Sql => {
    const explain = explainWith(inner.rows);
    return {
      rows: async statement => {
        await explain(statement);
        return inner.rows(statement);
      },
      first: async statement => {
        await explain(statement);
        return inner.first(statement);
      },
      run: async statement => {
        await explain(statement);
        return inner.run(statement);
      },
      get em() {
        return inner.em;
      },
    };
  };
  const wrapSteps = (inner: Steps): Steps => {
    const explain = explainWith(async statement => (await inner.step(statement))[0]);
    // One after the other: the result of a statement may depend on the one before it.
    const each = async <const Statements extends readonly RawBuilder<unknown>[]>(statements: Statements) => {
      const found: unknown[][] = [];
      for (const statement of statements) {
        await explain(statement);
        found.push((await inner.step(statement))[0]);
      }
      return found as RowsOf<Statements>;
    };
    return {
      step: (...statements) => each(statements),
      async last(...statements) {
        const found = await each(statements);
        await inner.last();
        return found;
      },
    };
  };
  const outer = wrap(db);
  return {
    planned,
    db: {
      ...outer,
      get em() {
        return db.em;
      },
      orm: db.orm,
      hot: {
        rows: async statement => {
          await explainWith(asked => db.hot.rows(asked))(statement);
          return db.hot.rows(statement);
        },
        transaction: (work, how) => db.hot.transaction(steps => work(wrapSteps(steps)), how),
      },
      transaction: work => db.transaction(tx => work(wrap(tx))),
      read: work => db.read(work),
      ping: () => db.ping(),
      close: () => db.close(),
    },
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
