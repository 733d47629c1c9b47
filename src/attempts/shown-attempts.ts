import { sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { maskedMembers, maskedValues } from '#phone-numbers/masked-answer.ts';
import { maySeeNumbers, type ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import type { Attempt } from './attempt.ts';

/** Keys of the result fields for phone numbers that the script of a call declares. */
type NumberFields = ReadonlySet<string>;

/** The number fields of each of these calls; one whose script declares none has no row. Each version of a script is read once. */
export function readNumberFields({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<{ id: number; keys: string[] }[]> {
  return db.rows(sql<{ id: number; keys: string[] }>`
    with call as materialized (select id, script_id, script_version from attempt where id = any(${ids(attemptIds)}) and script_id is not null),
    declared as materialized (
      select v.script_id, v.version, array(
        select f.value ->> 'key' from jsonb_array_elements(v.body #> '{nlu,fields}') f where f.value ->> 'type' = 'phone') as keys
      from (select distinct script_id, script_version from call) as ran
      join script_version v on v.script_id = ran.script_id and v.version = ran.script_version)
    select call.id, declared.keys from call join declared on declared.script_id = call.script_id and declared.version = call.script_version
    where cardinality(declared.keys) > 0`);
}

const NONE: NumberFields = new Set();

type ShownApp = ShownNumbersPart & { db: Sql };

/** The number fields of calls whose values the caller may not read as a whole; none for who sees numbers. */
export async function hiddenFields(
  app: ShownApp,
  caller: Caller,
  attemptIds: readonly number[],
): Promise<(attemptId: number) => NumberFields> {
  if (attemptIds.length === 0 || maySeeNumbers(app, caller)) return () => NONE;
  const found = new Map((await readNumberFields(app, attemptIds)).map(({ id, keys }) => [id, new Set(keys)]));
  return attemptId => found.get(attemptId) ?? NONE;
}

/**
 * Attempts as the caller sees them: numbers that a customer gave are masked as the customer's own is.
 *
 * Why:    `phoneNumber` is masked by its name where answers leave; which key of a result holds a number only the script says
 * Source: D3.11, D7.17
 */
export async function shownAttempts(app: ShownApp, caller: Caller, attempts: readonly Attempt[]): Promise<Attempt[]> {
  const hiddenOf = await hiddenFields(
    app,
    caller,
    attempts.map(({ id }) => id),
  );
  return attempts.map(attempt => maskedAttempt(attempt, hiddenOf(attempt.id)));
}

/** Like `shownAttempts`, for one. */
export async function shownAttempt(app: ShownApp, caller: Caller, attempt: Attempt): Promise<Attempt> {
  const hiddenOf = await hiddenFields(app, caller, [attempt.id]);
  return maskedAttempt(attempt, hiddenOf(attempt.id));
}

/** The report itself has the values too, wherever the runtime put them. */
function maskedAttempt(attempt: Attempt, keys: NumberFields): Attempt {
  if (keys.size === 0) return attempt;
  const { resultFields, reportedResult, payload } = attempt;
  return {
    ...attempt,
    resultFields: resultFields && maskedValues(resultFields, keys),
    reportedResult: reportedResult && { ...reportedResult, fields: maskedValues(reportedResult.fields, keys) },
    payload: maskedMembers(payload, keys),
  };
}
