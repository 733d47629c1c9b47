import { type RawBuilder, sql } from 'kysely';
import type { Database, Sql } from '#adapters/postgres/database.ts';

export interface PlannedStatement {
  /** Text with parameters as `$n`. */
  statement: string;
  /** Table names that the plan reads from end to end. */
  scanned: string[];
  /** Index names that it uses. */
  indexes: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const LOOKED_AT =
  /\b(contact|attempt|batch|outbox|campaign|do_not_call|audit_log|transcript_segment|softphone_call|conference_session|runtime_event)\b/;

/** The same database, which also asks the planner about each statement before it runs it, with the same parameters. */
export function explaining(db: Database): { db: Database; planned: PlannedStatement[] } {
  const planned: PlannedStatement[] = [];
  const wrap = (inner: Sql): Sql => {
    const explain = async (statement: RawBuilder<unknown>) => {
      const text = statement.compile(db.em.getKysely()).sql;
      if (!LOOKED_AT.test(text)) return;
      const [row] = await inner.rows(sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (format json) ${statement}`);
      const nodes = (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flatten(Plan));
      planned.push({
        statement: text.replaceAll(/\s+/g, ' ').trim(),
        scanned: nodes.flatMap(node => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
        indexes: nodes.flatMap(node => node['Index Name'] ?? []),
      });
    };
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
  const outer = wrap(db);
  return {
    planned,
    db: {
      ...outer,
      get em() {
        return db.em;
      },
      orm: db.orm,
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
