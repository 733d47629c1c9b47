/** A run broke an invariant of A8; the run ends with it. */
export class Violation extends Error {
  /** `I1 limit exceeded` …: the same fault in another run has the same name. */
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.name = 'Violation';
    this.invariant = invariant;
  }
}
