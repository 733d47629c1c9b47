import {
  CamelCasePlugin,
  type CompiledQuery,
  type Kysely,
  type OperationNode,
  type RawBuilder,
  type RawNode,
  type ValueNode,
} from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { DriverPool, PooledClient } from './connections.ts';
import { databaseFailure, isOutdatedPlan, isRepeatable } from './failures.ts';

/** Statement text with parameters as `$n`. */
type CompiledStatement = Pick<CompiledQuery, 'sql' | 'parameters'>;

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode';
const isParameter = (node: OperationNode): node is ValueNode => node.kind === 'ValueNode' && (node as ValueNode).immediate !== true;

/**
 * Compiles a statement that consists of text and values only; any other one is left to the query builder.
 *
 * Why: the builder copies and freezes every node, which takes twice the CPU time
 */
export function compileRaw(statement: RawBuilder<unknown>, compiler: Kysely<unknown>): CompiledStatement {
  const parameters: unknown[] = [];
  const text = textOf(statement.toOperationNode(), parameters);
  return text === null ? statement.compile(compiler) : { sql: text, parameters };
}

/** Null when the statement contains anything but text and values. */
function textOf(node: OperationNode, parameters: unknown[]): string | null {
  if (isParameter(node)) return `$${parameters.push(node.value)}`;
  if (!isRaw(node)) return null;
  let text = '';
  for (const [place, fragment] of node.sqlFragments.entries()) {
    const child = node.parameters[place];
    const inside = child === undefined ? '' : textOf(child, parameters);
    if (inside === null) return null;
    text += fragment + inside;
  }
  return text;
}

/** Rows of each statement, in order. */
export type RowsOf<Statements extends readonly RawBuilder<unknown>[]> = {
  [Place in keyof Statements]: Statements[Place] extends RawBuilder<infer Row> ? Row[] : never;
};

/** A transaction with few round trips. */
export interface Steps {
  /** Sends the statements together and returns all results; the first step begins the transaction. */
  step<const Statements extends readonly RawBuilder<unknown>[]>(...statements: Statements): Promise<RowsOf<Statements>>;
  /** Like `step`, but also commits: no further step may follow. */
  last<const Statements extends readonly RawBuilder<unknown>[]>(...statements: Statements): Promise<RowsOf<Statements>>;
}

/**
 * Frequent statements of dialling: prepared once per connection; those of one step are sent in one write.
 *
 * Why:    planning took two fifths of PostgreSQL's time per dial, and writes to its sockets a third of the server's (bench/README.md).
 *         Preparing works only for a small number of statement texts: values must be parameters
 * Errors: DATABASE_UNAVAILABLE
 */
export interface HotSql {
  rows<Row>(statement: RawBuilder<Row>): Promise<Row[]>;
  /** Commits after the last step or when `work` resolves, rolls back when it rejects; repeats `work` after a deadlock. */
  transaction<T>(work: (steps: Steps) => Promise<T>, how?: Transacting): Promise<T>;
}

interface Transacting {
  /**
   * Every row is accessed by key: uses generic plans, whatever the parameters, and no sequential scans.
   *
   * Why: for an unknown list the planner assumes ten keys and finds the generic plan dearer than one for two actual keys, so it plans anew
   *      each time. And a plan made while a table was small is kept until it is discarded
   */
  byKey: boolean;
}

/** Prepared plans are discarded after this time, since a table may have grown from nothing to a million rows. ms */
const PLANS_LIVE_MS = 20_000;
/** Limit of prepared statements; further texts are planned each time, since varying texts would fill the connections' memory. */
const MAX_NAMED = 300;
const MAX_RUNS = 4;
const BEGIN = { planned: 'begin', byKey: 'begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off' };

interface HotParts {
  pool: DriverPool;
  compiler: Kysely<unknown>;
  clock: Clock;
}

export function hotSql(parts: HotParts): HotSql {
  const { pool, clock } = parts;
  const compiler = parts.compiler.withPlugin(NAMES);
  const names = new Map<string, string>();
  const planned = new WeakMap<PooledClient, number>();

  /** Statement names are per process; a known text has been prepared already or is about to be. */
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMED) return known;
    const name = `hot_${names.size}`;
    names.set(text, name);
    return name;
  }

  /** Sends all statements in one write to the socket. */
  function send(client: PooledClient, statements: readonly (string | CompiledStatement)[]): Promise<readonly Answer[]> {
    const { stream } = client.connection;
    stream.cork();
    try {
      return together(
        statements.map(each => (typeof each === 'string' ? client.query(each) : client.query(prepared(each, nameOf(each.sql))))),
      );
    } finally {
      stream.uncork();
    }
  }

  /** Statements that a connection needs first. */
  function preface(client: PooledClient): readonly string[] {
    const now = clock.monotonic();
    const since = planned.get(client);
    if (since !== undefined && now - since < PLANS_LIVE_MS) return [];
    planned.set(client, now);
    return since === undefined ? [] : ['discard plans'];
  }

  async function ask(
    client: PooledClient,
    before: readonly string[],
    statements: readonly RawBuilder<unknown>[],
    after: readonly string[],
  ) {
    const compiled = statements.map(statement => compileRaw(statement, compiler));
    const answers = await send(client, [...before, ...compiled, ...after]);
    // The commit of a failed transaction rolls it back without an error from the server.
    if (after.length > 0 && answers.at(-1)?.command !== 'COMMIT') throw new Error('the transaction was not committed');
    return answers.slice(before.length, before.length + compiled.length).map(named);
  }

  async function withClient<T>(work: (client: PooledClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(isOutdatedPlan(error) ? true : undefined);
      throw error;
    }
  }

  function inSteps<T>(client: PooledClient, begin: string, work: (steps: Steps) => Promise<T>): Promise<T> {
    let state: 'new' | 'open' | 'over' = 'new';
    const opening = () => {
      const before = state === 'new' ? [...preface(client), begin] : [];
      state = 'open';
      return before;
    };
    const steps = {
      step: (...statements: RawBuilder<unknown>[]) => ask(client, opening(), statements, []),
      async last(...statements: RawBuilder<unknown>[]) {
        const rows = await ask(client, opening(), statements, ['commit']);
        state = 'over';
        return rows;
      },
    } as Steps;
    const end = async (command: string) => {
      if (state === 'open') await client.query(command);
    };
    return work(steps).then(
      async result => {
        await end('commit');
        return result;
      },
      async (error: unknown) => {
        await end('rollback').catch(() => undefined);
        throw error;
      },
    );
  }

  return {
    rows: statement =>
      again(() =>
        withClient(async client => {
          const [rows] = await ask(client, preface(client), [statement], []);
          return (rows ?? []) as never[];
        }),
      ),
    transaction: (work, { byKey } = { byKey: false }) =>
      again(() => withClient(client => inSteps(client, byKey ? BEGIN.byKey : BEGIN.planned, work))),
  };
}

interface Answer {
  command: string;
  fields: readonly { name: string }[];
  rows: readonly unknown[][];
}

function prepared({ sql: text, parameters: values }: CompiledStatement, name: string | undefined) {
  return { ...(name === undefined ? {} : { name }), text, values: [...values], rowMode: 'array' };
}

/** Waits for all results before the connection returns to the pool. The first failure is the cause of the following ones. */
async function together(answers: readonly Promise<unknown>[]): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(answers);
  const failed = settled.find(outcome => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map(outcome => (outcome as PromiseFulfilledResult<unknown>).value as Answer);
}

class ColumnNames extends CamelCasePlugin {
  readonly #known = new Map<string, string>();

  of(column: string): string {
    const known = this.#known.get(column);
    if (known !== undefined) return known;
    const name = this.camelCase(column);
    this.#known.set(column, name);
    return name;
  }
}

/** Members of JSON values keep the names they were stored with. */
const NAMES = new ColumnNames({ maintainNestedObjectKeys: true });

function named({ fields, rows }: Answer): Record<string, unknown>[] {
  const names = fields.map(field => NAMES.of(field.name));
  return rows.map(row => Object.fromEntries(names.map((name, place) => [name, row[place]])));
}

async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (runs < MAX_RUNS && (isRepeatable(error) || isOutdatedPlan(error))) continue;
      throw databaseFailure(error);
    }
  }
}
