import type { CallInput } from '#actors/call/context.ts';
import type { CallSettings } from './settings.ts';

/** An originate rings at most its own time; the switch is asked this much later, ms. */
const DIAL_TIMEOUT_MARGIN_MS = 10_000;

/** The waits of a call on one cell. Its hand-overs are numbered from the present, UTC ms: later ones than those of a live state that was lost. */
export function callInput(settings: CallSettings, cellId: string, now: number): CallInput {
  const dialTimeoutMs = settings.originateTimeoutSeconds(cellId) * 1_000 + DIAL_TIMEOUT_MARGIN_MS;
  const { graceMs, resultGraceMs, runtime } = settings;
  return { dialTimeoutMs, graceMs, resultGraceMs, epoch: now, ...(runtime === 'rest' ? { runtimeTaken: true } : {}) };
}
