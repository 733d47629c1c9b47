import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { ResultValues } from '#scripts/decisions/result-field.ts';
import { IS_SHOWN } from './attempt-store.ts';
import { type CallFindings, columnOfFields, findingsThatCount, type ResultLayers, type SaidFindings } from './decisions/result-layers.ts';

/** An attempt whose result a person may change, locked for the rest of the transaction. */
export interface LockedFindings {
  id: number;
  requestId: string;
  campaignId: number;
  scriptId: number | null;
  scriptVersion: number | null;
  layers: ResultLayers;
}

interface Row extends Omit<LockedFindings, 'layers'> {
  classification: string | null;
  intent: string | null;
  resultFields: ResultValues | null;
  resultLayers: ResultLayers | null;
}

/** Locks an attempt for a person's word on its result; undefined when there is none. A result that arrives meanwhile waits. */
export async function lockFindings(tx: Sql, attemptId: number): Promise<LockedFindings | undefined> {
  const row = await tx.first(sql<Row>`
    select a.id, a.request_id, a.campaign_id, a.script_id, a.script_version, a.classification, a.intent, a.result_fields, a.result_layers
    from attempt a where a.id = ${attemptId} and ${IS_SHOWN} for no key update`);
  if (row === undefined) return undefined;
  const { classification, intent, resultFields, resultLayers, ...attempt } = row;
  const reported = { classification, intent, fields: resultFields ?? {} };
  return { ...attempt, layers: resultLayers ?? { reported, said: { fields: {} } } };
}

/** Writes what people say of a call; returns what counts from now on. Where they no longer say anything, the report alone is left. */
export async function writeSaid(tx: Sql, { id, layers: { reported } }: LockedFindings, said: SaidFindings): Promise<CallFindings> {
  const layers = { reported, said };
  const counted = findingsThatCount(layers);
  await tx.run(sql`
    update attempt set classification = ${counted.classification}, intent = ${counted.intent},
      result_fields = ${jsonOrNull(columnOfFields(counted.fields))}, result_layers = ${jsonOrNull(saysNothing(said) ? null : layers)}
    where id = ${id}`);
  return counted;
}

function saysNothing({ classification, intent, fields }: SaidFindings): boolean {
  return classification === undefined && intent === undefined && Object.keys(fields).length === 0;
}

function jsonOrNull(value: object | null) {
  return value === null ? sql`null` : json(value);
}
