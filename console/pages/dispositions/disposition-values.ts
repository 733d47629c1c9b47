import { instantOf } from '../../text/local-time.ts';
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
export function initialValues({ saved, fields }: Known): DispositionValues {
  const known = new Map(Object.entries((saved?.fields ?? {}) as Record<string, unknown>));
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
  return {
    code: saved?.code ?? '',
    note: saved?.note ?? '',
    fields: Object.fromEntries(fields.map(({ key }) => [key, textOf(known.get(key))])),
    dueAt: '',
    doNotCall: false,
  };
}

export function givenOf(values: DispositionValues, fields: Known['fields']): SaveDispositionMutationVariables['input'] {
  const { code, note, dueAt, doNotCall } = values;
  const at = instantOf(dueAt);
  const filled = fields.flatMap(({ key, type }) => {
    const text = values.fields[key] ?? '';
    return text === '' ? [] : [[key, typed(text, type)] as const];
  });
  return { code, note, fields: Object.fromEntries(filled), callback: at === null ? null : { dueAt: at }, doNotCall };
}

/** A number that is none is left to the server to refuse, with its field. */
function typed(text: string, type: string): string | number | boolean {
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (type === 'boolean') return /^(?:true|yes|1|是)$/i.test(text);
  return text;
}
