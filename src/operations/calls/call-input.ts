import type { CallInput } from '#actors/call/context.ts';
import type { CallSettings } from './settings.ts';

/** An originate rings at most its own time; the switch is asked this much later, ms. */
const DIAL_TIMEOUT_MARGIN_MS = 10_000;

/** More than the hand-overs of any call. */
const EPOCHS_PER_LIFE = 1_000;

/**
 * The waits of a call on one cell.
 *
 * Units:  `ageMs`: since its claim by the database's clock, null for a new call
 * Why:    its hand-overs are numbered from there: later ones than those of a live state that was lost, whatever the clocks of instances say
 */
export function callInput(settings: CallSettings, cellId: string, ageMs: number | null): CallInput {
  const epoch = ageMs === null ? 0 : EPOCHS_PER_LIFE + ageMs;
  const dialTimeoutMs = settings.originateTimeoutSeconds(cellId) * 1_000 + DIAL_TIMEOUT_MARGIN_MS;
  const { graceMs, resultGraceMs, runtime, care } = settings;
  const { firstWordMs, silenceMs } = care;
  return { dialTimeoutMs, graceMs, resultGraceMs, firstWordMs, silenceMs, epoch, ...(runtime === 'rest' ? { runtimeTaken: true } : {}) };
}
