import type { Region } from '#rules/dial-key.ts';
import type { BreakerSettings } from '#rules/breaker.ts';
import type { CallSettings } from '#operations/calls/settings.ts';

/** Tunables of dialling; defaults in compose/config. Units in the names. */
export interface DispatchSettings extends CallSettings {
  /** Business time zone of windows, policies and daily counts (D1.2). */
  timeZone: string;
  /** Of numbers without a country code. */
  region: Region;
  /** Short codes that may be dialled. */
  allowedShortCodes: readonly string[];
  instanceId: string;
  /** Most contacts that one automatic cycle claims. */
  batchSize: number;
  /** From the mark to the socket write at the latest (A6 step 6). */
  sendDeadlineMs: number;
  /** A dial that a person asked for waits so long for its turn in its cell's second. */
  manualWaitMs: number;
  /** Life of an unconfirmed reservation (A6 step 2). */
  reservationLeaseMs: number;
  /** The campaign lock lasts from the plan to the claim; a crashed holder's ends by itself. */
  lockTtlMs: number;
  /** D7.6; null when off. */
  ringbackTimeoutMs: number | null;
  /** When a campaign's failing dials pause it. */
  breaker: BreakerSettings;
}
