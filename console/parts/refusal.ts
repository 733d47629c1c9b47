/** What a command answers when it does not do what was asked: the fragment `Refused`. */
export interface Refusal {
  message: string;
  field?: string | null;
  faults?: readonly { field: string; problem: string }[];
}

interface Answer {
  __typename?: string;
}

/** A command that answered nothing at all is told by its error. */
export function isRefusal<Result extends Answer>(result: Result | null | undefined): result is Extract<Result, Refusal> {
  return result !== null && result !== undefined && 'message' in result && 'code' in result;
}

/** Faults by the field of the form: `input.lineIds[0]` is a fault of `lineIds`. */
export function faultsByField({ message, field, faults = [] }: Refusal): Readonly<Record<string, string>> {
  const told = faults.length > 0 ? faults : field ? [{ field, problem: withoutName(message, field) }] : [];
  return Object.fromEntries(told.map(fault => [nameOf(fault.field), fault.problem]));
}

/** The field itself shows its name: a message for everywhere begins with it. */
function withoutName(message: string, field: string): string {
  const text = message.replace(/^参数错误：/, '');
  return text.startsWith(`${field} `) ? text.slice(field.length + 1) : message;
}

function nameOf(path: string): string {
  return path.replace(/^input\./, '').split(/[.[]/)[0] ?? '';
}
