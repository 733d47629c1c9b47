import { sql } from 'kysely';
import type { ResultLayers } from '#attempts/decisions/result-layers.ts';
import { hiddenNumber } from '#phone-numbers/masked-answer.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import type { ResultValue } from '#scripts/decisions/result-field.ts';
import { FIELD_MEMBER, type MadeCorrection, madeCorrection } from './result.ts';

/** The layers of attempts of which people have said something; others have no row. */
export function readLayers({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<{ id: number; layers: ResultLayers }[]> {
  return db.rows(sql<{ id: number; layers: ResultLayers }>`
    select a.id, a.result_layers as layers from attempt a where a.id = any(${ids(attemptIds)}) and a.result_layers is not null`);
}

/** Most corrections shown of one call. */
const MAX_CORRECTIONS = 100;

/** The corrections of each call, newest first. */
export function readCorrections({ db }: { db: Sql }, attemptIds: readonly number[]): Promise<MadeCorrection[]> {
  return db.rows(sql<MadeCorrection>`
    select ${columnsOf(madeCorrection, 'c')} from unnest(${ids(attemptIds)}) as asked (id)
    cross join lateral (select * from result_correction where attempt_id = asked.id order by id desc limit ${MAX_CORRECTIONS}) as c
    order by c.attempt_id, c.id desc`);
}

/** A correction as somebody reads it who may not see the numbers under some keys. */
export function maskedCorrection(correction: MadeCorrection, keys: ReadonlySet<string>): MadeCorrection {
  const changes = correction.changes.map(change => {
    const { member, before, after } = change;
    const isHidden = member.startsWith(FIELD_MEMBER) && keys.has(member.slice(FIELD_MEMBER.length));
    return isHidden ? { member, before: hidden(before), after: hidden(after) } : change;
  });
  return { ...correction, changes };
}

function hidden(value: ResultValue | null): ResultValue | null {
  return typeof value === 'string' ? hiddenNumber(value) : value;
}
