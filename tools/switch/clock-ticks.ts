/** Resolution of the switch's clock, in ms: all events within one tick have the same timestamp. */
const TICK_MS = 20;
/** Lag between the beginning of a tick and its timestamp, in µs; on a real switch it varies. */
const NOTED_LATE_MICROS = 730;
const NOTED_SPREAD_MICROS = 31;

/**
 * Timestamp of an instant, in µs: that of the tick that contains it.
 *
 * Why:    the create and add events of one room share a timestamp; only Event-Sequence orders them
 * Source: test/fixtures/esl/README.md §1a "clock"
 */
export function stampOf(at: number): number {
  const tick = Math.floor(at / TICK_MS);
  return tick * TICK_MS * 1_000 + NOTED_LATE_MICROS + (tick % NOTED_SPREAD_MICROS);
}

/** Timestamp as in a header; never is 0. */
export function stampText(at: number | null): string {
  return at === null ? '0' : String(stampOf(at));
}

/** Whole seconds as in a header; never is 0. */
export function secondsText(at: number | null): string {
  return at === null ? '0' : String(Math.floor(at / 1_000));
}

/** `2026-11-21 01:10:08`; the simulated machine uses UTC. */
export function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
