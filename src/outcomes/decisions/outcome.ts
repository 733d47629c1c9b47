import { type Evidence, MAX_WORDS_LENGTH, type Outcome } from '#attempts/decisions/evidence.ts';
import { type CallStatus, isNetworkCause } from '#protocol/call-status.ts';
import { recogniseGreeting } from './greetings.ts';

/** Facts about an ended attempt. Units: instants UTC ms, durations ms */
export interface AttemptFacts {
  callStatus: CallStatus | null;
  /** Hang-up cause of the switch. */
  cause: string | null;
  /** Final SIP response of the far end; null when it sent none. */
  sipStatus: string | null;
  q850: number | null;
  /** From the start until the far end rang. */
  progressMs: number | null;
  /** From the start until the far end sent audio before the answer. */
  mediaMs: number | null;
  /** Verdict of ringback detection. */
  ringback: string | null;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number;
  /** From the answer until the customer first heard the runtime; null when unknown. */
  firstAudioMs: number | null;
  /** First words of the customer's side, as recognised; null when unknown or absent. */
  firstWords: string | null;
  /** Null when no transcript or caption tells. */
  hasCustomerSpoken: boolean | null;
  /** The runtime's own status and words for the result. */
  reported: CallStatus | null;
  classification: string | null;
  optOut: boolean;
  /** Switch, line or runtime failed, not the called person. */
  isOurFault: boolean;
  /** The far end never responded, and the dial is the line's failure. */
  isSilentLine: boolean;
  /** Nobody served the customer who answered. */
  isUnserved: boolean;
}

type Finding = [Evidence['basis'], Outcome];
type Finder = (facts: AttemptFacts) => Finding | null;

/** A customer who hangs up this soon after hearing the first word has not listened, ms. */
const SHORT_MS = 3_000;

/** Outcomes that a status alone decides, whether the switch or the runtime gave it. */
const BY_STATUS: Readonly<Partial<Record<CallStatus, Outcome>>> = {
  ringing: 'no_answer',
  no_answer: 'no_answer',
  busy: 'busy',
  rejected: 'rejected',
  power_off: 'power_off',
  out_of_service: 'out_of_service',
  invalid_number: 'invalid_number',
  network_busy: 'network_busy',
  // Our side ended the call before an answer.
  cancelled: 'local_failure',
};

/** In order of authority: the first that finds something decides. */
const FINDERS: readonly Finder[] = [
  ({ optOut }) => (optOut ? ['runtime', 'opted_out'] : null),
  ({ answeredAt, isUnserved }) => (answeredAt !== null && isUnserved ? ['own_failure', 'abandoned'] : null),
  ({ isOurFault, isSilentLine }) => (isOurFault || isSilentLine ? ['own_failure', 'local_failure'] : null),
  byClassification,
  byWords,
  byStatus,
  ({ callStatus, answeredAt }) => (callStatus === 'failed' && answeredAt !== null ? ['runtime', 'local_failure'] : null),
  byTimes,
  ({ answeredAt, cause }) => (answeredAt === null && cause !== null && isNetworkCause(cause) ? ['hang_up', 'network_busy'] : null),
];

/** Facts that the switch reports about an ended call. Units: UTC ms */
export interface SwitchSignals {
  sipStatus: string | null;
  q850: number | null;
  progressAt: number | null;
  mediaAt: number | null;
}

/** The switch's signals as facts of an attempt that began at `startedAt`. */
export function signalFacts(
  { signals }: { signals?: SwitchSignals | undefined },
  startedAt: number | null,
): Pick<AttemptFacts, 'sipStatus' | 'q850' | 'progressMs' | 'mediaMs'> {
  const since = (at: number | null | undefined) =>
    startedAt === null || at === null || at === undefined ? null : Math.max(0, at - startedAt);
  const { sipStatus = null, q850 = null, progressAt, mediaAt } = signals ?? {};
  return { sipStatus, q850, progressMs: since(progressAt), mediaMs: since(mediaAt) };
}

/** How the attempt ended. Source: D7.13 */
export function outcomeOf(facts: AttemptFacts): Outcome {
  return findingOf(facts)[1];
}

/** The facts that an attempt keeps beside its outcome. Shape: less than 2 KiB of JSON */
export function evidenceOf(facts: AttemptFacts): Evidence {
  const [basis] = findingOf(facts);
  const { startedAt, answeredAt, cause, sipStatus, q850, progressMs, mediaMs, ringback, firstAudioMs, reported } = facts;
  return {
    basis,
    cause: clipped(cause),
    sipStatus,
    q850,
    progressMs,
    mediaMs,
    ringback,
    answerMs: answeredAt === null || startedAt === null ? null : Math.max(0, answeredAt - startedAt),
    firstAudioMs,
    reported,
    classification: clipped(facts.classification),
    words: basis === 'words' ? clipped(facts.firstWords) : null,
    rule: null,
  };
}

/** Outcome of a number whose characters no switch can dial (D4.5). */
export const NEVER_DIALLED: { outcome: Outcome; evidence: Evidence } = {
  outcome: 'invalid_number',
  evidence: {
    basis: 'none',
    cause: null,
    sipStatus: null,
    q850: null,
    progressMs: null,
    mediaMs: null,
    ringback: null,
    answerMs: null,
    firstAudioMs: null,
    reported: null,
    classification: null,
    words: null,
    rule: null,
  },
};

function findingOf(facts: AttemptFacts): Finding {
  for (const find of FINDERS) {
    const finding = find(facts);
    if (finding !== null) return finding;
  }
  return ['none', 'unknown'];
}

/** Words by which runtimes classify who answered, in Chinese and English. */
const CLASSIFICATIONS: readonly [Outcome, RegExp][] = [
  ['screening', /screen|call.?assistant|助理|助手|管家|智能代接/i],
  ['voicemail', /voice.?mail|answering.?machine|mailbox|语音信箱|留言/i],
  ['fax', /\bfax|传真/i],
];

function byClassification({ classification, answeredAt }: AttemptFacts): Finding | null {
  if (classification === null || answeredAt === null) return null;
  const match = CLASSIFICATIONS.find(([, words]) => words.test(classification));
  return match ? ['runtime', match[0]] : null;
}

/**
 * By what was said at once after the answer.
 *
 * Why: a runtime that did not listen for announcements reports a conversation, and one that knows only mailboxes calls every machine one
 */
function byWords({ firstWords, answeredAt, callStatus }: AttemptFacts): Finding | null {
  if (firstWords === null || answeredAt === null) return null;
  if (callStatus !== null && callStatus !== 'voicemail' && callStatus in BY_STATUS) return null;
  const heard = recogniseGreeting(firstWords);
  return heard === null ? null : ['words', heard];
}

function byStatus({ callStatus, reported }: AttemptFacts): Finding | null {
  if (callStatus === 'voicemail') return ['runtime', 'voicemail'];
  const outcome = callStatus === null ? undefined : BY_STATUS[callStatus];
  return outcome === undefined ? null : [reported === callStatus ? 'runtime' : 'hang_up', outcome];
}

/** Distinguishes a customer who hung up at once from one who stayed silent. */
function byTimes({ answeredAt, endedAt, firstAudioMs, hasCustomerSpoken }: AttemptFacts): Finding | null {
  if (answeredAt === null) return null;
  const heardMs = endedAt - answeredAt - (firstAudioMs ?? 0);
  if (hasCustomerSpoken !== true && heardMs <= SHORT_MS) return ['times', 'short'];
  return hasCustomerSpoken === false ? ['words', 'silent'] : ['hang_up', 'completed'];
}

function clipped(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_WORDS_LENGTH).toWellFormed();
}
