import type { Outcome } from '#attempts/decisions/evidence.ts';
import { concludeAttempt, type Conclusion, type RulesInForce } from '#outcomes/decisions/conclude-attempt.ts';
import type { OutcomeCounts } from '#outcomes/decisions/decide-by-rules.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { dailySchedule, firstOpenAt, type OpenHours } from '#policies/decisions/week-schedule.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import { type Answer, drawPeople, type Person, ZONE } from './people.ts';

const MINUTE = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE;
/** A Monday, 09:00 in the zone of the people. */
const MONDAY = Date.parse('2026-11-30T01:00:00Z');
const OPEN: OpenHours = { schedules: [{ schedule: dailySchedule(9 * 60, 21 * 60), isMakeUpDay: null }], blocksDay: null };
/** Calls at once. */
const LINES = 3;
/** Time for which an agentless line is busy between two calls, ms. */
const PAUSE_MS = 2_000;

/** Outcome rules decide after an attempt, or the retries of a campaign without any. */
export type Deciding = { rules: OutcomeRules } | { maxRetries: number; retryIntervalSeconds: number };

export interface WeekResult {
  people: number;
  dials: number;
  /** Persons who talked, or asked for no further calls. */
  reached: number;
  /** Most dials to one person. */
  most: number;
}

interface Listed {
  person: Person;
  attemptCount: number;
  counts: OutcomeCounts;
  partsTried: number;
  /** UTC ms; Infinity when it is not dialled again. */
  dueAt: number;
  isReached: boolean;
}

/** Dials a list for a week, from 9 to 21 each day: the product's own decision follows each attempt. */
export function dialWeek(seed: number, count: number, deciding: Deciding): WeekResult {
  const list = drawPeople(seed, count).map(
    (person): Listed => ({ person, attemptCount: 0, counts: {}, partsTried: 0, dueAt: MONDAY, isReached: false }),
  );
  const lines = Array.from({ length: LINES }, () => MONDAY);
  let dials = 0;
  for (;;) {
    const free = Math.min(...lines);
    const next = nextOf(list, free);
    const at = next && firstOpenAt(OPEN, [ZONE], Math.max(free, next.dueAt));
    if (next === null || at === null || at >= MONDAY + WEEK_MS) break;
    dials += 1;
    const { lastsMs } = dialTo(next, { at, attemptId: dials, deciding });
    lines[lines.indexOf(free)] = at + lastsMs + PAUSE_MS;
  }
  const most = Math.max(...list.map(({ attemptCount }) => attemptCount));
  return { people: count, dials, reached: list.filter(({ isReached }) => isReached).length, most };
}

/** The order of the queue: retries that are due, then contacts that were never dialled, then the retry that is due first. */
function nextOf(list: readonly Listed[], now: number): Listed | null {
  const retry = list.filter(({ attemptCount, dueAt }) => attemptCount > 0 && Number.isFinite(dueAt)).reduce<Listed | null>(sooner, null);
  if (retry !== null && retry.dueAt <= now) return retry;
  return list.find(({ attemptCount }) => attemptCount === 0) ?? retry;
}

function sooner(one: Listed | null, other: Listed): Listed {
  return one !== null && one.dueAt <= other.dueAt ? one : other;
}

interface Dial {
  at: number;
  attemptId: number;
  deciding: Deciding;
}

function dialTo(listed: Listed, { at, attemptId, deciding }: Dial): Answer {
  const answer = listed.person.dialAt(at);
  listed.attemptCount += 1;
  const { outcome, outcomeCounts, partsTried, retryAt, isListed } = conclude(listed, { at, attemptId, deciding }, answer);
  if (outcome !== answer.outcome) throw new Error(`${answer.outcome} was taken for ${outcome}`);
  Object.assign(listed, { counts: outcomeCounts, partsTried, dueAt: isListed ? Infinity : (retryAt ?? Infinity) });
  listed.isReached ||= outcome === 'completed' || outcome === 'opted_out';
  return answer;
}

function conclude(listed: Listed, { at, attemptId, deciding }: Dial, answer: Answer): Conclusion {
  const { attemptCount, counts: outcomeCounts, partsTried } = listed;
  const { ringsMs, lastsMs, outcome } = answer;
  const ruled: RulesInForce | null = 'rules' in deciding ? { id: 1, rules: deciding.rules, open: OPEN } : null;
  const limits = 'rules' in deciding ? { maxRetries: deciding.rules.maxAttempts - 1, retryIntervalSeconds: 0 } : deciding;
  return concludeAttempt({
    attemptId,
    ended: { ...limits, callStatus: STATUS[outcome] ?? 'completed', attemptCount, endedAt: at + lastsMs },
    facts: { ...SILENT_SWITCH, startedAt: at, answeredAt: ringsMs === null ? null : at + ringsMs, ...WORDS[outcome] },
    contact: { outcomeCounts, partsTried, zones: [ZONE], earlierOutcome: null },
    ruled,
  });
}

const STATUS: Readonly<Partial<Record<Outcome, CallStatus>>> = {
  no_answer: 'no_answer',
  busy: 'busy',
  rejected: 'rejected',
  power_off: 'power_off',
  voicemail: 'voicemail',
  invalid_number: 'invalid_number',
  out_of_service: 'out_of_service',
};

const SILENT_SWITCH = {
  cause: null,
  sipStatus: null,
  q850: null,
  progressMs: null,
  mediaMs: null,
  ringback: null,
  firstAudioMs: 500,
  firstWords: null,
  hasCustomerSpoken: true,
  reported: null,
  classification: null,
  optOut: false,
};
const WORDS: Readonly<Partial<Record<Outcome, Partial<typeof SILENT_SWITCH>>>> = {
  silent: { hasCustomerSpoken: false },
  short: { hasCustomerSpoken: false },
  opted_out: { optOut: true },
};
