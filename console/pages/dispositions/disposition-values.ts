import { instantOf } from '../../text/local-time.ts';
import { inputOf, valueOf } from '../results/result-values.ts';
import type { DispositionFormQuery, SaveDispositionMutationVariables } from './dispositions.generated.ts';

type Known = NonNullable<DispositionFormQuery['form']>;

export interface DispositionValues {
  code: string;
  note: string;
  fields: Readonly<Record<string, string>>;
  /** Local time of the promised callback; empty: none is promised. */
  dueAt: string;
  doNotCall: boolean;
}

/** The saved values, for correction; an existing callback or do-not-call entry stays as it is. */
export function initialValues({ saved, fields }: Known, zone: string): DispositionValues {
  const known = new Map(Object.entries((saved?.fields ?? {}) as Record<string, unknown>));
  return {
    code: saved?.code ?? '',
    note: saved?.note ?? '',
    fields: Object.fromEntries(fields.map(field => [field.key, inputOf(field, known.get(field.key), zone)])),
    dueAt: '',
    doNotCall: false,
  };
}

export function givenOf(values: DispositionValues, fields: Known['fields']): SaveDispositionMutationVariables['input'] {
  const { code, note, dueAt, doNotCall } = values;
  const at = instantOf(dueAt);
  const filled = fields.flatMap(field => {
    const value = valueOf(field, values.fields[field.key] ?? '');
    return value === null ? [] : [[field.key, value] as const];
  });
  return { code, note, fields: Object.fromEntries(filled), callback: at === null ? null : { dueAt: at }, doNotCall };
}
