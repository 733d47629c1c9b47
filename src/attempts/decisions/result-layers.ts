import type { ResultValue, ResultValues } from '#scripts/decisions/result-field.ts';

/** The result of a call: its class, the customer's intent, and the values of the script's fields. */
export interface CallFindings {
  classification: string | null;
  intent: string | null;
  fields: ResultValues;
}

/** A person's word in place of the runtime's. `value` null: there is no value, although one may have been reported. */
export interface Said<Value> {
  value: Value | null;
  /** `agent`: with the disposition of the call; `correction`: a user with `contact:write`. */
  by: 'agent' | 'correction';
  userId: number | null;
  /** UTC ms. */
  at: number;
}

/** The words of people about a call, by member and by key. */
export interface SaidFindings {
  classification?: Said<string>;
  intent?: Said<string>;
  fields: Readonly<Record<string, Said<ResultValue>>>;
}

/**
 * The runtime's report and the words of people above it. Null where only the runtime has reported.
 *
 * Why:    the columns of an attempt hold what counts, so that lists and figures read nothing else; a correction must never hide what the
 *         runtime reported, nor a late report undo a correction
 * Source: D7.17
 */
export interface ResultLayers {
  reported: CallFindings;
  said: SaidFindings;
}

/** The findings that count: the latest word of a person, else the report. */
export function findingsThatCount({ reported, said }: ResultLayers): CallFindings {
  return {
    classification: said.classification === undefined ? reported.classification : said.classification.value,
    intent: said.intent === undefined ? reported.intent : said.intent.value,
    fields: withoutNulls({ ...reported.fields, ...valuesSaid(said) }),
  };
}

function valuesSaid({ fields }: SaidFindings): Record<string, ResultValue | null> {
  return Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value]));
}

function withoutNulls(values: Readonly<Record<string, ResultValue | null>>): ResultValues {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

/** Values as the column holds them: null for none, which costs no row of an index. */
export function columnOfFields(fields: ResultValues): ResultValues | null {
  return Object.keys(fields).length === 0 ? null : fields;
}
