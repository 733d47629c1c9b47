/** When a campaign whose dials fail in the network stops dialling, and how it tries again. */
export interface BreakerSettings {
  /** Fewer ends within the window say nothing. */
  minimumDials: number;
  /** Share of them that failed from which dispatch pauses, 0..1. */
  failureShare: number;
  windowMs: number;
  /** First pause; each failed try doubles it. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Dials of a try. */
  probeDials: number;
}

/** At least half of at least 20 dials in 120 s. */
export const BREAKER_DEFAULTS: BreakerSettings = {
  minimumDials: 20,
  failureShare: 0.5,
  windowMs: 120_000,
  firstPauseMs: 30_000,
  longestPauseMs: 600_000,
  probeDials: 5,
};

/** How one dial ended as far as the way to the person called is concerned. */
export interface DialEnd {
  requestId: string;
  /** `reached`: the network delivered the call, whatever the person did. `void`: the dial says nothing, it never left or nobody knows. */
  outcome: 'reached' | 'failed' | 'void';
  /** Hang-up cause of a failed one. */
  cause: string | null;
  /** It never reached the network: switch, line or runtime are at fault. */
  isLocal?: boolean | undefined;
  /** Nothing ever came from the far end of the line. */
  isSilent?: boolean | undefined;
  /** The line that it went over; absent or null: not known. */
  lineId?: number | null | undefined;
}

export interface FailureReport {
  dials: number;
  failures: number;
  /** Failures by cause, most frequent first. */
  causes: Readonly<Record<string, number>>;
  /** Lines whose last dials were silent to the end; absent: none. */
  silentLines?: readonly number[];
}

/** JSON; one per campaign. Instants are UTC ms. */
export type Breaker =
  | {
      kind: 'closed';
      periods: readonly Period[] /** Local failures since the last dial that was none. */;
      localFailures?: number /** Silent dials since the last sign of the far end, by line. */;
      silent?: SilentRows;
    }
  /** Dispatch pauses until `until`; then a try is due. */
  | (Opening & { kind: 'open'; until: number })
  /** A try is under way; without an answer until `until` the next one is due. */
  | (Opening & { kind: 'probing'; until: number; awaited: readonly string[]; dials: number; failed: number; reached: number });

/** `openedAt` names the opening. */
export interface BreakerOpening {
  openedAt: number;
  report: FailureReport;
}

interface Opening extends BreakerOpening {
  pauseMs: number;
}

/** By the line's id; 0: the last dial over it showed its far end. */
export type SilentRows = Readonly<Record<string, number>>;

interface Period {
  from: number;
  dials: number;
  causes: Readonly<Record<string, number>>;
}

/** Dials that were claimed as a try, and the instant until which their ends are awaited. */
export interface Probe {
  requestIds: readonly string[];
  until: number;
}

export const CLOSED_BREAKER: Breaker = { kind: 'closed', periods: [] };

/** So many local failures in a row stop the campaign at once: the next dial would end no other way. */
const MAX_LOCAL_FAILURES = 3;
/** So many silent dials over a line in a row make it one whose far end is away. */
export const MAX_SILENT_DIALS = 5;
/** The window moves in steps of this part of it. */
const PERIODS = 12;
/** Causes that are told apart; the rest counts as one. */
const MAX_CAUSES = 20;
const OTHER_CAUSES = 'OTHER';
const UNKNOWN_CAUSE = 'UNKNOWN';

/** Nothing is dialled, and no try is due. */
export function isWaiting(breaker: Breaker, at: number): boolean {
  return breaker.kind !== 'closed' && at < breaker.until;
}

/** Dials that a campaign may claim at most at this instant: null without a limit, 0 while it waits, else those of a try. */
export function dialsAllowed(breaker: Breaker, at: number, { probeDials }: Pick<BreakerSettings, 'probeDials'>): number | null {
  if (breaker.kind === 'closed') return null;
  return isWaiting(breaker, at) ? 0 : probeDials;
}

/** The breaker after dials have ended; the same object when nothing changes. */
export function afterEnds(breaker: Breaker, ends: readonly DialEnd[], at: number, settings: BreakerSettings): Breaker {
  switch (breaker.kind) {
    case 'closed':
      return count(breaker, ends, at, settings);
    case 'open':
      // Dials of before the opening still end; a try decides, not they.
      return breaker;
    case 'probing':
      return judge(breaker, ends, at, settings);
    default:
      return breaker satisfies never;
  }
}

/** A try has claimed these dials. */
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
  // While another line of the campaign reaches people, its dials go on.
  const isCutOff = silentLines.length > 0 && Object.values(silent).every(row => row > 0);
  if (!isFailing && !isCutOff && localFailures < MAX_LOCAL_FAILURES) return { kind: 'closed', periods, localFailures, silent };
  const known = silentLines.length === 0 ? report : { ...report, silentLines };
  return { kind: 'open', openedAt: at, until: at + settings.firstPauseMs, pauseMs: settings.firstPauseMs, report: known };
}

/** A dial to a gateway that the switch itself found dead: the line is named by the time that such dials stop the campaign. */
const LOCAL_SILENCE = Math.ceil(MAX_SILENT_DIALS / MAX_LOCAL_FAILURES);

/** The rows of silent dials after more ends: a sign of the far end begins its line's row anew. */
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

/** Lines that these ends show to be dead. */
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
