/** A broken invariant of A8; it ends the run. */
export class Violation extends Error {
  /** Name of the fault, such as `I1 limit exceeded`; the same fault in another run has the same name. */
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}
