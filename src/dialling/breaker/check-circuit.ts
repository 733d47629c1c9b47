import { beginProbe, type CircuitSettings, circuitVerdict, type FailureReport } from '#rules/circuit-breaker.ts';
import type { CircuitStore } from '#ports/circuit-store.ts';

export type CircuitCheck =
  | { kind: 'free' }
  /** A try is due: at most this many dials. */
  | { kind: 'probe'; dials: number }
  /** Nothing is dialled for `waitMs`. `openedAt` names the opening. */
  | { kind: 'wait'; waitMs: number; openedAt: number; report: FailureReport };

export interface CheckDeps {
  circuits: CircuitStore;
  settings: { circuit: CircuitSettings };
}

/**
 * Whether the campaign's last dials allow more of them.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export async function checkCircuit({ circuits, settings }: CheckDeps, campaignId: number): Promise<CircuitCheck> {
  const { circuit, at } = await circuits.read(campaignId);
  const verdict = circuitVerdict(circuit, at, settings.circuit);
  return verdict.kind === 'wait' ? { ...verdict, waitMs: verdict.until - at } : verdict;
}

/**
 * Remembers which dials are the try; their ends decide.
 *
 * Errors: CACHE_UNAVAILABLE; LOCK_CONTENDED
 */
export async function startProbe({ circuits, settings }: CheckDeps, campaignId: number, requestIds: readonly string[]): Promise<void> {
  await circuits.change(campaignId, (circuit, at) => beginProbe(circuit, requestIds, at, settings.circuit));
}
