import type { TestServer } from '#test/support/server.ts';

/** Statements of background jobs. */
const BACKGROUND =
  /next_wake_at is null|from outbox|^update |"claimedAgoMs"|hold_until <=|attempt_tally|for update|conference_session|e\.acknowledged_seq >|s\.direction in \('manual_call'/;

const TIMES = 3;

interface Noted<T> {
  answer: T;
  statements: string[];
}

/**
 * Statements that GraphQL ran for one operation.
 *
 * Why: concurrent background statements only add to them, so the run with the fewest of several counts
 */
export async function statementsOf<T>(server: TestServer, work: () => Promise<T>): Promise<Noted<T>> {
  let fewest = await noteStatements(server, work);
  for (let time = 1; time < TIMES; time++) {
    const noted = await noteStatements(server, work);
    if (noted.statements.length < fewest.statements.length) fewest = noted;
  }
  return fewest;
}

async function noteStatements<T>(server: TestServer, work: () => Promise<T>): Promise<Noted<T>> {
  const { database } = server.running.context;
  const statements: string[] = [];
  const { rows, first } = database;
  type Statement = Parameters<typeof rows>[0];
  const note = (statement: Statement) => {
    const text = statement.compile(database.em.getKysely()).sql.replaceAll(/\s+/g, ' ').trim();
    if (!BACKGROUND.test(text)) statements.push(text);
  };
  const noting =
    <Result>(run: (statement: Statement) => Result) =>
    (statement: Statement) => {
      note(statement);
      return run(statement);
    };
  Object.assign(database, { rows: noting(rows), first: noting(first) });
  try {
    return { answer: await work(), statements };
  } finally {
    Object.assign(database, { rows, first });
  }
}
