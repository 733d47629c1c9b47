import type { CallFindings, ResultLayers, Said } from '#attempts/decisions/result-layers.ts';
import { type ResultField, type ResultValue, valueUnder } from '#scripts/decisions/result-field.ts';

/** The value of one field of a call, with its author. */
export interface FieldView extends ResultField {
  value: ResultValue | null;
  reported: ResultValue | null;
  source: 'runtime' | 'agent' | 'correction' | null;
  userId: number | null;
  /** UTC ms. */
  saidAt: number | null;
}

export const RESULT_SOURCES = ['runtime', 'agent', 'correction'] as const;

/** The fields in their order, with the values that count. `layers` null: nobody has said anything else than the runtime. */
export function describeFields(
  declared: readonly ResultField[],
  counted: CallFindings['fields'],
  layers: ResultLayers | null,
): FieldView[] {
  return declared.map(field => {
    const { key } = field;
    const said = Object.entries(layers?.said.fields ?? {}).find(([name]) => name === key)?.[1] ?? null;
    const reported = valueUnder(layers === null ? counted : layers.reported.fields, key);
    return { ...field, value: valueUnder(counted, key), reported, ...wordOf(said, reported) };
  });
}

function wordOf(said: Said<ResultValue> | null, reported: ResultValue | null): Pick<FieldView, 'source' | 'userId' | 'saidAt'> {
  if (said !== null) return { source: said.by, userId: said.userId, saidAt: said.at };
  return { source: reported === null ? null : 'runtime', userId: null, saidAt: null };
}
