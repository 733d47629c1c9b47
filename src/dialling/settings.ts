import type { Region } from '#phone-numbers/dial-key.ts';
import type { BreakerSettings } from '#campaigns/decisions/breaker.ts';
import type { CallSettings } from '#calls/call-actor.ts';

/** Settings of dialling; defaults are in compose/config. Units are in the names. */
export interface DispatchSettings extends CallSettings {
  /** Business time zone of windows, policies and daily counts (D1.2). */
  timeZone: string;
  /** Applies to numbers without a country code. */
  region: Region;
  /** Short codes that may be dialled. */
  allowedShortCodes: readonly string[];
  instanceId: string;
  /** Limit of contacts claimed per automatic cycle. */
  batchSize: number;
  /** Longest time from the mark to the socket write (A6 step 6). */
  sendDeadlineMs: number;
  /** How long a manual dial waits for its turn within the cell's rate. */
  manualWaitMs: number;
  /** Lease of an unconfirmed reservation (A6 step 2). */
  reservationLeaseMs: number;
  /** The campaign lock covers plan and claim; after a crash of its holder it expires. */
  lockTtlMs: number;
  /** D7.6; null when off. */
  ringbackTimeoutMs: number | null;
  /** Thresholds at which a campaign's failing dials pause it. */
  breaker: BreakerSettings;
}

export interface DispatchPart {
  settings: DispatchSettings;
}
