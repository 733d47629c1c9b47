/** A condition of one part, or of several, which a form does not show. */
export type RuleKind = 'always' | 'node' | 'branch' | 'variable';

/** Tests of a variable's value. */
export const VALUE_TESTS = ['exists', 'equals', 'contains', 'atLeast', 'atMost'] as const;
type ValueTest = (typeof VALUE_TESTS)[number];

export interface RuleParts {
  /** Node, branch or variable. */
  subject: string;
  test: ValueTest;
  value: string;
}

export function ruleKindOf(when: unknown): RuleKind | 'other' {
  const names = Object.keys(Object(when));
  const [first, second] = names;
  if (new Map<string, unknown>(Object.entries(Object(when))).get('exists') === false) return 'other';
  if (first === undefined) return 'always';
  if (names.length === 1 && (first === 'node' || first === 'branch' || first === 'variable')) return first;
  const test = first === 'variable' ? second : first;
  return names.length === 2 && names.includes('variable') && VALUE_TESTS.some(each => each === test) ? 'variable' : 'other';
}

export function readWhen(when: unknown): RuleParts {
  const members = new Map<string, unknown>(Object.entries(Object(when)));
  const test = VALUE_TESTS.find(each => members.has(each)) ?? 'exists';
  const subject = members.get('node') ?? members.get('branch') ?? members.get('variable') ?? '';
  return { subject: textOf(subject), test, value: test === 'exists' ? '' : textOf(members.get(test) ?? '') };
}

/** A list shows its members separated by commas. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function writeWhen(kind: RuleKind, { subject, test, value }: RuleParts): object | null {
  if (kind === 'always') return null;
  if (kind !== 'variable') return { [kind]: subject };
  return test === 'exists' ? { variable: subject } : { variable: subject, [test]: typed(test, value) };
}

/** Numbers are compared as numbers; `equals` takes what looks like one for one. */
function typed(test: ValueTest, value: string): string | number {
  const number = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(number);
  if (test === 'atLeast' || test === 'atMost') return isNumber ? number : 0;
  return test === 'equals' && isNumber ? number : value;
}
