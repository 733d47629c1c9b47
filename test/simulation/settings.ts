import { BREAKER_DEFAULTS } from '#platform/config/defaults.ts';
import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import type { DispatchSettings } from '#dialling/settings.ts';
import type { Dice } from './dice.ts';

export const ZONE = 'Asia/Shanghai';
/** The defaults of compose/config. */
const PRODUCTION = {
  sendDeadlineMs: 2_000,
  manualWaitMs: 10_000,
  graceMs: 30_000,
  resultGraceMs: 60_000,
  reservationLeaseMs: 30_000,
  lockTtlMs: 10_000,
};
/** Short times, which bring the ends of leases and graces close together; the grace still outlasts the slowest originate. */
const SHORT = {
  sendDeadlineMs: 2_000,
  manualWaitMs: 3_000,
  graceMs: 11_000,
  resultGraceMs: 20_000,
  reservationLeaseMs: 10_000,
  lockTtlMs: 4_000,
};
export const RING_SECONDS = 10;

export type Waits = typeof PRODUCTION;

export function drawWaits(dice: Dice): Waits {
  return dice.chance(0.3) ? PRODUCTION : SHORT;
}

export function settingsOf(waits: Waits, instanceId: string, batchSize: number): DispatchSettings {
  return {
    ...waits,
    runtime: 'nats',
    care: RUNTIME_CARE,
    timeZone: ZONE,
    region: 'CN',
    allowedShortCodes: [],
    instanceId,
    batchSize,
    ringbackTimeoutMs: null,
    breaker: BREAKER_DEFAULTS,
    originateTimeoutSeconds: () => RING_SECONDS,
  };
}
