import type { CallInput } from '#actors/call/context.ts';
import type { CallSettings } from './settings.ts';

/** Delay after the longest ringing time before the switch is probed, in ms. */
const DIAL_TIMEOUT_MARGIN_MS = 10_000;

/** Above the number of hand-overs of any call. */
const EPOCHS_PER_LIFE = 1_000;

/**
 * Returns the timeouts of a call at a cell, and the epoch of its first hand-over.
 *
 * Units:  `ageMs` is the time since its claim by the database's clock, null for a new call
 * Why:    epochs start from the age, so that they exceed those of a lost live state, whatever the clocks of the instances
 */
export function callInput(settings: CallSettings, cellId: string, ageMs: number | null): CallInput {
  const epoch = ageMs === null ? 0 : EPOCHS_PER_LIFE + ageMs;
  const dialTimeoutMs = settings.originateTimeoutSeconds(cellId) * 1_000 + DIAL_TIMEOUT_MARGIN_MS;
  const { graceMs, resultGraceMs, runtime, care } = settings;
  const { firstWordMs, silenceMs } = care;
  return { dialTimeoutMs, graceMs, resultGraceMs, firstWordMs, silenceMs, epoch, ...(runtime === 'rest' ? { runtimeTaken: true } : {}) };
}
