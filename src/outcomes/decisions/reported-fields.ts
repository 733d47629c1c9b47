import { columnOfFields, findingsThatCount, type ResultLayers } from '#attempts/decisions/result-layers.ts';
import { membersOf } from '#kernel/typed.ts';
import { fittingValues, type ResultField, type ResultValues } from '#scripts/decisions/result-field.ts';

/** Columns with the findings of a call. */
export interface FindingColumns {
  classification: string | null;
  intent: string | null;
  /** Values of the script's fields that count; null: none. */
  resultFields: ResultValues | null;
  /** Null: nobody has said anything else than the runtime. */
  resultLayers: ResultLayers | null;
}

/** Facts of an attempt that a reader of its values needs. */
export interface KnownFields {
  declared: readonly ResultField[];
  /** Business time zone, of instants without one. */
  zone: string;
}

/** Whether a report may have values of result fields: most have none, and then no script is read. */
export function hasValues(payload: unknown): boolean {
  const { fields, variables } = membersOf(membersOf(payload)['result']);
  return Object.keys(membersOf(fields)).length > 0 || Object.keys(membersOf(variables)).length > 0;
}

/**
 * The values that a runtime reports for the fields of the script: of `payload.result.fields`, or of what it collected, `payload.result.variables`.
 *
 * Why:    a variable may have the name of a field by accident, so only a member of `fields` that does not fit is a `misfit`
 * Source: D7.17
 */
export function reportedValues({ declared, zone }: KnownFields, payload: unknown): { values: ResultValues; misfits: string[] } {
  const { fields, variables } = membersOf(membersOf(payload)['result']);
  const collected = fittingValues(declared, membersOf(variables), zone);
  const { values, misfits } = fittingValues(declared, membersOf(fields), zone);
  return { values: { ...collected.values, ...values }, misfits };
}

/** The columns as the runtime reported them, without what people have said. */
export function asReported<Known extends FindingColumns>(known: Known): Known {
  if (known.resultLayers === null) return known;
  const { classification, intent, fields } = known.resultLayers.reported;
  return { ...known, classification, intent, resultFields: columnOfFields(fields) };
}

/** The reverse of `asReported`: the columns that count after a report. */
export function asCounted<Columns extends FindingColumns>(reported: Columns, { resultLayers: known }: FindingColumns): Columns {
  if (known === null) return reported;
  const { classification, intent, resultFields } = reported;
  const resultLayers = { ...known, reported: { classification, intent, fields: resultFields ?? {} } };
  const { fields, ...counted } = findingsThatCount(resultLayers);
  return { ...reported, ...counted, resultFields: columnOfFields(fields), resultLayers };
}

/** Adds reported values to those that are there, which a later report never changes. `conflicts`: members that were not taken. */
export function withValues(
  known: ResultValues | null,
  { values, misfits }: { values: ResultValues; misfits: readonly string[] },
): { resultFields: ResultValues | null; conflicts: string[] } {
  const differing = Object.keys(values).filter(key => known !== null && Object.hasOwn(known, key) && known[key] !== values[key]);
  return {
    resultFields: columnOfFields({ ...values, ...known }),
    conflicts: [...misfits, ...differing].map(key => `${FIELD_CONFLICT}${key}`),
  };
}

/** Beginning of the name of a result field among the conflicts of a report. */
export const FIELD_CONFLICT = 'result.fields.';
