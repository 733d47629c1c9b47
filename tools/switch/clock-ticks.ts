/** The switch looks at its clock this often, ms: what happens within one tick carries one time stamp. */
const TICK_MS = 20;
/** A tick is noted a little after it has begun, µs; by how much differs from tick to tick. */
const NOTED_LATE_MICROS = 730;
const NOTED_SPREAD_MICROS = 31;

/**
 * The time stamp of an instant, µs: that of the tick in which it lies.
 *
 * Why:    create, add and add of one room carry one stamp; only Event-Sequence orders them
 * Source: test/fixtures/esl/README.md §1a "clock"
 */
export function stampOf(at: number): number {
  const tick = Math.floor(at / TICK_MS);
  return tick * TICK_MS * 1_000 + NOTED_LATE_MICROS + (tick % NOTED_SPREAD_MICROS);
}

/** As a header carries it; never is 0. */
export function stampText(at: number | null): string {
  return at === null ? '0' : String(stampOf(at));
}

/** Whole seconds as a header carries them; never is 0. */
export function secondsText(at: number | null): string {
  return at === null ? '0' : String(Math.floor(at / 1_000));
}

/** `2026-11-21 01:10:08`; the switch's machine lives in UTC. */
export function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
