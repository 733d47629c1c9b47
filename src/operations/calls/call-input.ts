import type { CallInput } from '#actors/call/context.ts';
import type { CallSettings } from './settings.ts';

/** An originate rings at most its own time; the switch is asked this much later, ms. */
const DIAL_TIMEOUT_MARGIN_MS = 10_000;

/** The waits of a call on one cell. */
export function callInput(settings: CallSettings, cellId: string): CallInput {
  const dialTimeoutMs = settings.originateTimeoutSeconds(cellId) * 1_000 + DIAL_TIMEOUT_MARGIN_MS;
  const { graceMs, resultGraceMs, runtime } = settings;
  return { dialTimeoutMs, graceMs, resultGraceMs, ...(runtime === 'rest' ? { runtimeTaken: true } : {}) };
}
