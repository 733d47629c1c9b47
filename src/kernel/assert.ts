/** Asserts an invariant of the program. A failure that the outside world can cause is a `CalloutError` instead. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Default branch of an exhaustive switch: fails to compile while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
