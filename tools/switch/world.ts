import { unreachable } from '#kernel/assert.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Way } from './dial-string.ts';

/** Both bounds inclusive, in ms. */
export interface DurationRange {
  minMs: number;
  maxMs: number;
}

export const CALLEE_KINDS = ['answer', 'busy', 'noAnswer', 'reject', 'unreachable', 'voicemail'] as const;
export type CalleeKind = (typeof CALLEE_KINDS)[number];

/** Behaviour of the simulated callees. */
export interface World {
  /** Whether the last two digits of the number force an outcome, like the callee of the recordings. */
  byNumber: boolean;
  /** Relative frequency of each outcome; the sum need not be 1. */
  rates: Readonly<Record<CalleeKind, number>>;
  /** Time from the call to the first SIP response. */
  networkMs: DurationRange;
  /** Time from the first ring to the answer. */
  ringMs: DurationRange;
  /** Total talk time in company, after which the callee hangs up. */
  talkMs: DurationRange;
  /** Share of callees who hang up after that time even when nobody speaks with them, 0 to 1. */
  impatientShare: number;
}

export const DEFAULT_WORLD: World = {
  byNumber: false,
  rates: { answer: 0.55, busy: 0.12, noAnswer: 0.18, reject: 0.05, unreachable: 0.06, voicemail: 0.04 },
  networkMs: { minMs: 60, maxMs: 400 },
  ringMs: { minMs: 1_500, maxMs: 9_000 },
  talkMs: { minMs: 15_000, maxMs: 90_000 },
  impatientShare: 0,
};

export interface Refusal {
  cause: string;
  /** SIP status, its reason phrase and the cause's Q.850 number. */
  sipStatus: number;
  sipPhrase: string;
  q850: number;
}

/** Course of one call. */
export type CalleePlan =
  | {
      kind: 'answers';
      callee: 'person' | 'voicemail';
      /** Messages before the answer. */
      progress: readonly ('ringing' | 'early_media')[];
      networkMs: number;
      ringMs: number;
      /** null: the callee never hangs up. */
      talkMs: number | null;
      /** When the talk time runs: from the answer, or only in company; alone, such a callee stays for ever. */
      talks: 'fromAnswer' | 'inCompany';
    }
  | { kind: 'refuses'; refusal: Refusal; hasEarlyMedia: boolean; networkMs: number }
  | { kind: 'never_answers'; progress: readonly 'ringing'[]; networkMs: number };

const refusal = (cause: string, sipStatus: number, sipPhrase: string, q850: number): Refusal => ({ cause, sipStatus, sipPhrase, q850 });

const BUSY = refusal('USER_BUSY', 486, 'Busy Here', 17);
const REJECTED = refusal('CALL_REJECTED', 603, 'Decline', 21);
const UNREACHABLE = refusal('NO_USER_RESPONSE', 480, 'Temporarily Unavailable', 18);
const FAILURE = refusal('NORMAL_TEMPORARY_FAILURE', 503, 'Service Unavailable', 41);

/** Source: test/fixtures/esl/README.md, the SIP callee of the recordings. */
const REFUSALS_BY_NUMBER: Readonly<Record<string, Refusal>> = {
  '01': BUSY,
  '03': refusal('UNALLOCATED_NUMBER', 404, 'Not Found', 1),
  '06': REJECTED,
  '07': UNREACHABLE,
  '08': FAILURE,
  '09': BUSY,
  '13': refusal('INVALID_NUMBER_FORMAT', 484, 'Address Incomplete', 28),
  '14': refusal('NUMBER_CHANGED', 410, 'Gone', 22),
  '15': { ...FAILURE, sipStatus: 500, sipPhrase: 'Server Internal Error' },
  '16': refusal('RECOVERY_ON_TIMER_EXPIRE', 408, 'Request Timeout', 102),
  '17': refusal('INCOMPATIBLE_DESTINATION', 488, 'Not Acceptable Here', 88),
};

/** How the switch reports a phone's refusal. Source: mod_sofia.c `hangup_cause_to_sip`, RFC 3398 §7.2.4.1 */
export function refusalOfStatus(status: number): Refusal {
  const known = [BUSY, REJECTED, UNREACHABLE, ...Object.values(REFUSALS_BY_NUMBER)].find(({ sipStatus }) => sipStatus === status);
  return known ?? { ...FAILURE, sipStatus: status, sipPhrase: 'Failure' };
}

/**
 * Numbers whose callees are the same in every world: that of a person who has moved, and the person's other number. They are what the demo
 * shows of contacts with several numbers.
 */
const BY_WHOLE_NUMBER: Readonly<Record<string, CalleePlan>> = {
  '13800000404': {
    kind: 'refuses',
    refusal: refusal('UNALLOCATED_NUMBER', 404, 'Not Found', 1),
    hasEarlyMedia: false,
    networkMs: 1,
  },
};
/** Answers even where calls go by chance. */
const ALWAYS_ANSWERED = '13900000405';
const ALL_ANSWER: World['rates'] = { answer: 1, busy: 0, noAnswer: 0, reject: 0, unreachable: 0, voicemail: 0 };

/** Plans the callee of `number`: silent when nobody is there, else by its number or at random. */
export function planCallee(world: World, way: Way, number: string, random: Random): CalleePlan {
  if (way === 'silent') return { kind: 'never_answers', progress: [], networkMs: 1 };
  if (way === 'closed' || way === 'congested') return { kind: 'refuses', refusal: FAILURE, hasEarlyMedia: false, networkMs: 1 };
  const forced = BY_WHOLE_NUMBER[number] ?? (world.byNumber ? planByNumber(number.slice(-2)) : null);
  return forced ?? planByChance(number === ALWAYS_ANSWERED ? { ...world, rates: ALL_ANSWER } : world, random);
}

function planByNumber(digits: string): CalleePlan | null {
  const refused = REFUSALS_BY_NUMBER[digits];
  if (refused) return { kind: 'refuses', refusal: refused, hasEarlyMedia: digits === '09', networkMs: 1 };
  const answers = (progress: readonly ('ringing' | 'early_media')[], ringMs: number, talkMs: number | null): CalleePlan => ({
    kind: 'answers',
    callee: 'person',
    progress,
    networkMs: 1,
    ringMs,
    talkMs,
    talks: 'fromAnswer',
  });
  switch (digits) {
    case '00':
      return answers(['ringing'], 1_000, 5_000);
    case '04':
      return answers(['ringing', 'early_media'], 1_000, 5_000);
    case '05':
      return answers([], 0, null);
    case '12':
      return answers([], 0, 1_000);
    case '02':
      return { kind: 'never_answers', progress: ['ringing'], networkMs: 1 };
    case '10':
      return { kind: 'never_answers', progress: [], networkMs: 1 };
    default:
      return null;
  }
}

function planByChance(world: World, random: Random): CalleePlan {
  const kind = pickKind(world.rates, random);
  const networkMs = pick(world.networkMs, random);
  switch (kind) {
    case 'busy':
      return { kind: 'refuses', refusal: BUSY, hasEarlyMedia: false, networkMs };
    case 'reject':
      return { kind: 'refuses', refusal: REJECTED, hasEarlyMedia: false, networkMs: networkMs + pick(world.ringMs, random) };
    case 'unreachable':
      return { kind: 'refuses', refusal: UNREACHABLE, hasEarlyMedia: false, networkMs };
    case 'noAnswer':
      return { kind: 'never_answers', progress: ['ringing'], networkMs };
    case 'answer':
    case 'voicemail': {
      const callee = kind === 'answer' ? 'person' : 'voicemail';
      const [ringMs, talkMs] = [pick(world.ringMs, random), pick(world.talkMs, random)];
      return { kind: 'answers', callee, progress: ['ringing'], networkMs, ringMs, talkMs, talks: talksOf(callee, world, random) };
    }
    default:
      return unreachable(kind);
  }
}

/** A mailbox ends its recording by itself; a customer waits for an answer. */
function talksOf(callee: 'person' | 'voicemail', { impatientShare }: World, random: Random): 'fromAnswer' | 'inCompany' {
  const isImpatient = impatientShare > 0 && random.next() < impatientShare;
  return callee === 'voicemail' || isImpatient ? 'fromAnswer' : 'inCompany';
}

function pick(range: DurationRange, random: Random): number {
  return randomInt(random, range.minMs, range.maxMs);
}

function pickKind(rates: World['rates'], random: Random): CalleeKind {
  const total = CALLEE_KINDS.reduce((sum, kind) => sum + rates[kind], 0);
  let at = random.next() * total;
  for (const kind of CALLEE_KINDS) {
    at -= rates[kind];
    if (at < 0) return kind;
  }
  return 'answer';
}
