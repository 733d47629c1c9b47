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

interface Fault {
  field: string;
  problem: string;
}

/** Messages by field of the form: `input.lineIds[0]` belongs to `lineIds`. */
export function faultsByField(refusal: Refusal): Readonly<Record<string, string>> {
  return Object.fromEntries(faultsOf(refusal).map(fault => [nameOf(fault.field), fault.problem]));
}

/** Faults with the paths of their members: the server lists several, and names a single one in the message. */
export function faultsOf({ message, field, faults = [] }: Refusal): readonly Fault[] {
  if (faults.length > 0) return faults;
  return field ? [{ field, problem: withoutName(message, field) }] : [];
}

/** Removes the name of the field from the message, because the field shows it already. */
function withoutName(message: string, field: string): string {
  const text = message.replace(/^参数错误：/, '');
  return text.startsWith(`${field} `) ? text.slice(field.length + 1) : message;
}

function nameOf(path: string): string {
  return path.replace(/^input\./, '').split(/[.[]/)[0] ?? '';
}
