/** Response of a command that the server refused: the fragment `Refused`. */
export interface Refusal {
  message: string;
  field?: string | null;
  faults?: readonly { field: string; problem: string }[];
}

interface Answer {
  __typename?: string;
}

/** A command without a result reports its error elsewhere. */
export function isRefusal<Result extends Answer>(result: Result | null | undefined): result is Extract<Result, Refusal> {
  return result !== null && result !== undefined && 'message' in result && 'code' in result;
}

/** Messages by field of the form: `input.lineIds[0]` belongs to `lineIds`. */
export function faultsByField({ message, field, faults = [] }: Refusal): Readonly<Record<string, string>> {
  const named = faults.length > 0 ? faults : field ? [{ field, problem: withoutName(message, field) }] : [];
  return Object.fromEntries(named.map(fault => [nameOf(fault.field), fault.problem]));
}

/** Removes the name of the field from the message, because the field shows it already. */
function withoutName(message: string, field: string): string {
  const text = message.replace(/^参数错误：/, '');
  return text.startsWith(`${field} `) ? text.slice(field.length + 1) : message;
}

function nameOf(path: string): string {
  return path.replace(/^input\./, '').split(/[.[]/)[0] ?? '';
}
