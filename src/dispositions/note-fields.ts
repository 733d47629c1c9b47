import type { Said, SaidFindings } from '#attempts/decisions/result-layers.ts';
import { lockFindings, writeSaid } from '#attempts/say-findings.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { fittingValues, isNoValue, type ResultField, type ResultValues, valueUnder } from '#scripts/decisions/result-field.ts';
import type { Disposer } from './disposed-call.ts';

interface Noted {
  userId: number | null;
  declared: readonly ResultField[];
  given: Readonly<Record<string, JsonValue>>;
}

/**
 * Takes the values of a disposition into the result of the call, within the transaction that saves it.
 *
 * Why:    what does not fit its type, such as a day in words, stays with the disposition, so that nothing an agent may write is refused
 * Source: D7.17
 */
export async function noteFields(
  { db: tx, clock, timeZone }: Pick<Platform, 'clock'> & { db: Sql; timeZone: string },
  { call }: Disposer,
  { userId, declared, given }: Noted,
): Promise<void> {
  if (call.attemptId === null || declared.length === 0) return;
  const found = await lockFindings(tx, call.attemptId);
  if (found === undefined) return;
  const { values } = fittingValues(declared, given, timeZone);
  const said = afterDisposition(found.layers.said, { declared, given, values }, { userId, at: clock.now() });
  if (said !== null) await writeSaid(tx, found, said);
}

/** Null when the disposition changes nothing: a value that the agent empties is no longer the agent's word, and one that is equal adds none. */
function afterDisposition(
  said: SaidFindings,
  { declared, given, values }: { declared: readonly ResultField[]; given: Noted['given']; values: ResultValues },
  { userId, at }: Pick<Said<never>, 'userId' | 'at'>,
): SaidFindings | null {
  const fields = new Map(Object.entries(said.fields));
  for (const { key } of declared) {
    const value = valueUnder(values, key);
    if (value !== null && fields.get(key)?.value !== value) fields.set(key, { value, by: 'agent', userId, at });
    else if (isNoValue(given[key]) && fields.get(key)?.by === 'agent') fields.delete(key);
  }
  const after = Object.fromEntries(fields);
  return JSON.stringify(after) === JSON.stringify(said.fields) ? null : { ...said, fields: after };
}
