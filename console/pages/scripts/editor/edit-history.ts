/** A value with what it was before and what was undone. */
export interface EditHistory<Value> {
  past: readonly Value[];
  present: Value;
  future: readonly Value[];
  /** Names the last change: further ones of the same name, such as typing in one field, are undone together. */
  last: string | null;
}

/** Most steps that can be undone. */
const MAX_STEPS = 200;

export function began<Value>(present: Value): EditHistory<Value> {
  return { past: [], present, future: [], last: null };
}

/** `name` null: the change is a step of its own. */
export function changed<Value>({ past, present, last }: EditHistory<Value>, next: Value, name: string | null): EditHistory<Value> {
  const isSameStep = name !== null && name === last;
  return { past: isSameStep ? past : [...past, present].slice(-MAX_STEPS), present: next, future: [], last: name };
}

export function undone<Value>(history: EditHistory<Value>): EditHistory<Value> {
  const { past, present, future } = history;
  const before = past.at(-1);
  return before === undefined ? history : { past: past.slice(0, -1), present: before, future: [present, ...future], last: null };
}

export function redone<Value>(history: EditHistory<Value>): EditHistory<Value> {
  const { past, present, future } = history;
  const [next, ...later] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: later, last: null };
}
