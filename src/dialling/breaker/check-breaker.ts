import { beginProbe, type BreakerSettings, breakerVerdict, type FailureReport } from '#rules/breaker.ts';
import type { Ports } from '#ports/ports.ts';

export type BreakerCheck =
  | { kind: 'free' }
  /** A try is due: at most this many dials. */
  | { kind: 'probe'; dials: number }
  /** Nothing is dialled for `waitMs`. `openedAt` names the opening. */
  | { kind: 'wait'; waitMs: number; openedAt: number; report: FailureReport };

export interface CheckDeps extends Pick<Ports, 'breakers'> {
  settings: { breaker: BreakerSettings };
}

/**
 * Whether the campaign's last dials allow more of them.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export async function checkBreaker({ breakers, settings }: CheckDeps, campaignId: number): Promise<BreakerCheck> {
  const { breaker, at } = await breakers.read(campaignId);
  const verdict = breakerVerdict(breaker, at, settings.breaker);
  return verdict.kind === 'wait' ? { ...verdict, waitMs: verdict.until - at } : verdict;
}

/**
 * Remembers which dials are the try; their ends decide.
 *
 * Errors: CACHE_UNAVAILABLE; LOCK_CONTENDED
 */
export async function startProbe({ breakers, settings }: CheckDeps, campaignId: number, requestIds: readonly string[]): Promise<void> {
  await breakers.change(campaignId, (breaker, at) => beginProbe(breaker, requestIds, at, settings.breaker));
}
