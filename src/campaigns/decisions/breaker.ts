/** Thresholds at which a campaign whose dials fail in the network stops dialling, and pauses between probes for recovery. */
export interface BreakerSettings {
  /** With fewer finished dials in the window the failure share is not evaluated. */
  minimumDials: number;
  /** Share of failed dials at which dispatch pauses, 0..1. */
  failureShare: number;
  windowMs: number;
  /** Pause after opening; doubled by each failed probe. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Number of dials in a probe. */
  probeDials: number;
}

/** Result of a dial as evidence about the network path. */
export interface DialEnd {
  requestId: string;
  /** `reached`: the network delivered the call, answered or not. `void`: no evidence; the dial never left, or its outcome is unknown. */
  outcome: 'reached' | 'failed' | 'void';
  /** Hang-up cause of a failed dial. */
  cause: string | null;
  /** The call never reached the network: the fault lies with the switch, the line or the runtime. */
  isLocal?: boolean | undefined;
  /** The far end of the line never responded. */
  isSilent?: boolean | undefined;
  /** Line used for the dial; absent or null when unknown. */
  lineId?: number | null | undefined;
}

export interface FailureReport {
  dials: number;
  failures: number;
  /** Failures by cause, most frequent first. */
  causes: Readonly<Record<string, number>>;
  /** Lines whose most recent dials all got no response; absent when there are none. */
  silentLines?: readonly number[];
}

/** State of a campaign's breaker, stored as JSON. Instants are UTC ms. */
export type Breaker =
  | {
      kind: 'closed';
      periods: readonly Period[];
      /** Consecutive local failures. */
      localFailures?: number;
      /** Consecutive silent dials by line. */
      silent?: SilentRows;
      /** Rests of silent lines while other lines work, by line id. */
      rests?: LineRests;
    }
  /** Dispatch pauses until `until`, when a probe is due. */
  | (Opening & { kind: 'open'; until: number })
  /** A probe is in progress; without a result by `until` the next one is due. */
  | (Opening & { kind: 'probing'; until: number; awaited: readonly string[]; dials: number; failed: number; reached: number });

/** `openedAt` identifies the opening. */
export interface BreakerOpening {
  openedAt: number;
  report: FailureReport;
}

interface Opening extends BreakerOpening {
  pauseMs: number;
}

/** Consecutive silent dials by line id; 0 when the far end responded to the latest dial. */
export type SilentRows = Readonly<Record<string, number>>;

/** A silent line is not offered until `until` (UTC ms); the pause doubles while its tries stay silent. */
export type LineRests = Readonly<Record<string, { until: number; pauseMs: number }>>;

interface Period {
  from: number;
  dials: number;
  causes: Readonly<Record<string, number>>;
}

/** Dials claimed as a probe, and the instant until which their results are awaited. */
export interface Probe {
  requestIds: readonly string[];
  until: number;
}

export const CLOSED_BREAKER: Breaker = { kind: 'closed', periods: [] };

/** Consecutive local failures that open the breaker at once: the next dial would fail for the same reason. */
const MAX_LOCAL_FAILURES = 3;
/** Consecutive silent dials after which a line's far end counts as unreachable. */
export const MAX_SILENT_DIALS = 5;
/** The sliding window advances in this many steps. */
const PERIODS = 12;
/** Causes counted separately; the rest is counted together. */
const MAX_CAUSES = 20;
const OTHER_CAUSES = 'OTHER';
const UNKNOWN_CAUSE = 'UNKNOWN';

/** No dialling, and no probe is due yet. */
export function isWaiting(breaker: Breaker, at: number): boolean {
  return breaker.kind !== 'closed' && at < breaker.until;
}

/** Upper limit of dials to claim now: null when unlimited, 0 during a pause, otherwise the size of a probe. */
export function dialsAllowed(breaker: Breaker, at: number, { probeDials }: Pick<BreakerSettings, 'probeDials'>): number | null {
  if (breaker.kind === 'closed') return null;
  return isWaiting(breaker, at) ? 0 : probeDials;
}

/** The breaker's next state after dials have ended; the same object when nothing changes. */
export function afterEnds(breaker: Breaker, ends: readonly DialEnd[], at: number, settings: BreakerSettings): Breaker {
  switch (breaker.kind) {
    case 'closed':
      return count(breaker, ends, at, settings);
    case 'open':
      // Dials from before the opening may still end; only a probe can close the breaker.
      return breaker;
    case 'probing':
      return judge(breaker, ends, at, settings);
    default:
      return breaker satisfies never;
  }
}

/** Starts a probe with the claimed dials. */
export function beginProbe(breaker: Breaker, { requestIds, until }: Probe): Breaker {
  if (breaker.kind === 'closed') return breaker;
  const { openedAt, pauseMs, report } = breaker;
  return { kind: 'probing', openedAt, pauseMs, report, until, awaited: requestIds, dials: requestIds.length, failed: 0, reached: 0 };
}

function count(breaker: Extract<Breaker, { kind: 'closed' }>, ends: readonly DialEnd[], at: number, settings: BreakerSettings): Breaker {
  const counted = ends.filter(end => end.outcome !== 'void');
  if (counted.length === 0) return breaker;
  const silent = silentRows(breaker, counted);
  const periods = addEnds(breaker.periods, counted, at, settings);
  const report = reportOf(periods);
  const localFailures = counted.reduce((row, { isLocal = false }) => (isLocal ? row + 1 : 0), breaker.localFailures ?? 0);
  const isFailing = report.dials >= settings.minimumDials && report.failures >= settings.failureShare * report.dials;
  const silentLines = silentLinesOf(silent);
  // While another line of the campaign is not silent as well, dialling continues there.
  const isCutOff = silentLines.length > 0 && silentLines.length === Object.keys(silent).length;
  if (!isFailing && !isCutOff && localFailures < MAX_LOCAL_FAILURES) {
    const rests = restsAfter(breaker.rests ?? {}, { silentLines, ends: counted, at }, settings);
    return { kind: 'closed', periods, localFailures, silent, ...(silentLines.length > 0 && { rests }) };
  }
  const known = silentLines.length === 0 ? report : { ...report, silentLines };
  return { kind: 'open', openedAt: at, until: at + settings.firstPauseMs, pauseMs: settings.firstPauseMs, report: known };
}

/** Weight of a dial to a gateway that the switch has marked down: the line is reported by the time such dials stop the campaign. */
const LOCAL_SILENCE = Math.ceil(MAX_SILENT_DIALS / MAX_LOCAL_FAILURES);

/** Updates the counts of silent dials; a response from the far end resets its line's count. */
export function silentRows(breaker: Breaker, ends: readonly DialEnd[]): SilentRows {
  const before = breaker.kind === 'closed' ? (breaker.silent ?? {}) : {};
  return ends.reduce<SilentRows>((rows, { lineId, isSilent, isLocal, outcome }) => {
    if (lineId === undefined || lineId === null || (isLocal === true && isSilent !== true) || outcome === 'void') return rows;
    const silence = isLocal === true ? LOCAL_SILENCE : 1;
    return { ...rows, [lineId]: isSilent === true ? (rows[lineId] ?? 0) + silence : 0 };
  }, before);
}

export function silentLinesOf(rows: SilentRows): number[] {
  return Object.entries(rows).flatMap(([lineId, row]) => (row >= MAX_SILENT_DIALS ? [Number(lineId)] : []));
}

/** Rests of the silent lines after these results: a new one for a line that has just become silent or stays silent after its rest. */
function restsAfter(
  before: LineRests,
  { silentLines, ends, at }: { silentLines: readonly number[]; ends: readonly DialEnd[]; at: number },
  { firstPauseMs, longestPauseMs }: BreakerSettings,
): LineRests {
  const rest = (lineId: number) => {
    const known = before[lineId];
    if (known === undefined) return { until: at + firstPauseMs, pauseMs: firstPauseMs };
    if (at < known.until || !ends.some(end => end.lineId === lineId && end.isSilent === true)) return known;
    const pauseMs = Math.min(longestPauseMs, 2 * known.pauseMs);
    return { until: at + pauseMs, pauseMs };
  };
  return Object.fromEntries(silentLines.map(lineId => [lineId, rest(lineId)]));
}

/** Silent lines of a campaign that others can stand in for. `resting`: not to be offered at `at`; the others are due to be tried. */
export function silentLinesAt(breaker: Breaker | null, at: number): { silent: ReadonlySet<number>; resting: ReadonlySet<number> } {
  const rests = breaker?.kind === 'closed' ? (breaker.rests ?? {}) : {};
  const lineIds = Object.keys(rests).map(Number);
  return { silent: new Set(lineIds), resting: new Set(lineIds.filter(lineId => at < (rests[lineId]?.until ?? 0))) };
}

/** Lines that become silent with these results. */
export function newSilentLines(breaker: Breaker, ends: readonly DialEnd[]): number[] {
  if (breaker.kind !== 'closed') return [];
  const known = new Set(silentLinesOf(breaker.silent ?? {}));
  return silentLinesOf(silentRows(breaker, ends)).filter(lineId => !known.has(lineId));
}

function addEnds(periods: readonly Period[], ends: readonly DialEnd[], at: number, { windowMs }: BreakerSettings): Period[] {
  const lengthMs = windowMs / PERIODS;
  const fresh = periods.filter(period => period.from > at - windowMs);
  const last = fresh.at(-1);
  const isCurrent = last !== undefined && at < last.from + lengthMs;
  const current = isCurrent ? last : { from: at, dials: 0, causes: {} };
  const causes = ends.filter(end => end.outcome === 'failed').reduce((sum, { cause }) => addCause(sum, cause), current.causes);
  return [...(isCurrent ? fresh.slice(0, -1) : fresh), { from: current.from, dials: current.dials + ends.length, causes }];
}

function addCause(causes: Readonly<Record<string, number>>, cause: string | null, times = 1): Readonly<Record<string, number>> {
  const name = cause ?? UNKNOWN_CAUSE;
  const isNew = !Object.hasOwn(causes, name);
  const key = isNew && Object.keys(causes).length >= MAX_CAUSES ? OTHER_CAUSES : name;
  return { ...causes, [key]: (causes[key] ?? 0) + times };
}

function reportOf(periods: readonly Period[]): FailureReport {
  const all = periods.flatMap(period => Object.entries(period.causes));
  const causes = all.reduce<Readonly<Record<string, number>>>((sum, [cause, times]) => addCause(sum, cause, times), {});
  return {
    dials: periods.reduce((sum, period) => sum + period.dials, 0),
    failures: all.reduce((sum, [, times]) => sum + times, 0),
    causes: Object.fromEntries(Object.entries(causes).toSorted(([, a], [, b]) => b - a)),
  };
}

function judge(breaker: Extract<Breaker, { kind: 'probing' }>, ends: readonly DialEnd[], at: number, settings: BreakerSettings): Breaker {
  const own = ends.filter(end => breaker.awaited.includes(end.requestId));
  if (own.length === 0) return breaker;
  const withOutcome = (outcome: DialEnd['outcome']) => own.filter(end => end.outcome === outcome).length;
  const awaited = breaker.awaited.filter(requestId => !own.some(end => end.requestId === requestId));
  const dials = breaker.dials - withOutcome('void');
  const failed = breaker.failed + withOutcome('failed');
  const reached = breaker.reached + withOutcome('reached');
  const { openedAt, pauseMs, report } = breaker;
  if (dials === 0) return { kind: 'open', openedAt, pauseMs, report, until: at };
  if (failed >= settings.failureShare * dials) {
    const longer = Math.min(settings.longestPauseMs, 2 * pauseMs);
    return { kind: 'open', openedAt, pauseMs: longer, report, until: at + longer };
  }
  if (awaited.length === 0 || reached > (1 - settings.failureShare) * dials) return CLOSED_BREAKER;
  return { ...breaker, awaited, dials, failed, reached };
}
