import type { InputFault } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { problem, type Problem } from '#kernel/problem.ts';
import type { ResultField } from '#scripts/decisions/result-field.ts';
import type { Disposition, DispositionSettings } from '../disposition.ts';

interface Given {
  code: string;
  note: string;
  fields: Readonly<Record<string, JsonValue>>;
  callback: object | null;
}

/** The choice of a code that agents may choose now. */
export function choiceOf({ dispositions }: DispositionSettings, code: string): Disposition | undefined {
  return dispositions.find(row => row.isEnabled && row.code === code);
}

/** The problems of a disposition against the choices; fields of a known script must have their types. */
export function dispositionFaults(choice: Disposition, given: Given, known: readonly ResultField[]): InputFault[] {
  const missing: InputFault[] = [
    ...(choice.needsNote && given.note === '' ? [{ field: 'note', problem: problem('empty') }] : []),
    ...(choice.needsCallback && given.callback === null ? [{ field: 'callback', problem: problem('missing') }] : []),
  ];
  return [...missing, ...known.flatMap(field => fieldFault(field, given.fields[field.key] ?? null))];
}

function fieldFault({ key, type }: ResultField, value: JsonValue): InputFault[] {
  const fault = value === null || value === '' ? null : faultOf(type, value);
  return fault === null ? [] : [{ field: `fields.${key}`, problem: fault }];
}

function faultOf(type: string, value: JsonValue): Problem | null {
  if (type === 'number') return typeof value === 'number' ? null : problem('number');
  if (type === 'boolean') return typeof value === 'boolean' ? null : problem('boolean');
  return typeof value === 'string' ? null : problem('text');
}
