/** Counters of `RTCPeerConnection.getStats` since the beginning of a call. */
export interface MediaCounts {
  received: number;
  lost: number;
  /** Variation of the time between packets, in s. */
  jitter: number;
  /** Time to the switch and back, in s; null while unknown. */
  roundTrip: number | null;
}

/** Quality of what the agent hears, over one interval between two samples. */
export interface Quality {
  /** Share of lost packets, 0..1. */
  loss: number;
  /** Units: ms */
  jitterMs: number;
  /** Units: ms; null while unknown. */
  roundTripMs: number | null;
  /** Estimated mean opinion score, 1 (bad) .. 4.4. */
  mos: number;
  /** Whether to warn: before speech becomes hard to understand, and until it is clearly good again. */
  isPoor: boolean;
}

/** R of a G.711 call without any impairment. Source: ITU-T G.107 (R0 − Is of its default values) */
const BEST_R = 93.2;
/** Robustness of G.711 with concealment against random loss. Source: ITU-T G.113, appendix I */
const LOSS_ROBUSTNESS = 25.1;
const WORST_IMPAIRMENT = 95;
/** Delay from which people begin to interrupt each other, in ms. Source: ITU-T G.107, simplified by R. Cole and J. Rosenbluth */
const NOTICED_DELAY_MS = 177.3;
/** Time to fill one packet, in ms. */
const PACKET_MS = 20;
/** Depth of the receiver's jitter buffer, as a multiple of the jitter. */
const BUFFER_PER_JITTER = 2;

/** Below `poor` the bar warns, and stops above `good`; at 3.1 many users are dissatisfied. Source: ITU-T G.107, annex B */
const MOS_LIMITS = { poor: 3.6, good: 3.9 };

/**
 * Rates the interval between two samples; `previous` is the quality of the interval before it.
 *
 * Why:    an interval in which no packet was expected, such as on hold, has no loss
 */
export function qualityOf(before: MediaCounts, now: MediaCounts, previous: Quality | null): Quality {
  const lost = Math.max(now.lost - before.lost, 0);
  const expected = Math.max(now.received - before.received, 0) + lost;
  const loss = expected === 0 ? 0 : lost / expected;
  const jitterMs = now.jitter * 1000;
  const roundTripMs = now.roundTrip === null ? null : now.roundTrip * 1000;
  const mos = mosOf({ loss, jitterMs, roundTripMs: roundTripMs ?? 0 });
  return { loss, jitterMs, roundTripMs, mos, isPoor: mos < (previous?.isPoor ? MOS_LIMITS.good : MOS_LIMITS.poor) };
}

/**
 * Estimates the mean opinion score by the simplified E-model.
 *
 * Why:    R = 93.2 − Id − Ie: `Id` = 0.024 d + 0.11 (d − 177.3 when d is above it) for the delay d from mouth to ear, `Ie` = 95 · loss /
 *         (loss + 25.1 %). d is half the round trip, one packet and a jitter buffer of twice the jitter. MOS = 1 + 0.035 R + 7·10⁻⁶ R (R − 60) (100 − R)
 * Source: ITU-T G.107; G.113, appendix I
 */
export function mosOf({ loss, jitterMs, roundTripMs }: { loss: number; jitterMs: number; roundTripMs: number }): number {
  const delayMs = roundTripMs / 2 + PACKET_MS + BUFFER_PER_JITTER * jitterMs;
  const delayed = 0.024 * delayMs + 0.11 * Math.max(delayMs - NOTICED_DELAY_MS, 0);
  const percent = loss * 100;
  const r = BEST_R - delayed - (WORST_IMPAIRMENT * percent) / (percent + LOSS_ROBUSTNESS);
  if (r <= 0) return 1;
  return Math.max(1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r), 1);
}

/** Rows of `getStats` that matter here, by their type. */
export interface StatsRow {
  type: string;
  kind?: string;
  packetsReceived?: number;
  packetsLost?: number;
  jitter?: number;
  roundTripTime?: number;
  currentRoundTripTime?: number;
  nominated?: boolean;
}

/** Sums up a report of `getStats`; null before the first packet can be counted. */
export function countsOf(rows: readonly StatsRow[]): MediaCounts | null {
  const heard = rows.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio');
  if (!heard) return null;
  return {
    received: heard.packetsReceived ?? 0,
    lost: heard.packetsLost ?? 0,
    jitter: heard.jitter ?? 0,
    roundTrip: roundTripOf(rows),
  };
}

/** The switch's own reports, else the connectivity checks of the path in use. */
function roundTripOf(rows: readonly StatsRow[]): number | null {
  const reported = rows.find(({ type, roundTripTime }) => type === 'remote-inbound-rtp' && roundTripTime !== undefined);
  if (reported?.roundTripTime !== undefined) return reported.roundTripTime;
  const path = rows.find(row => row.type === 'candidate-pair' && row.nominated === true && row.currentRoundTripTime !== undefined);
  return path?.currentRoundTripTime ?? null;
}
