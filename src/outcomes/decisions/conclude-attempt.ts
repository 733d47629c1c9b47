import type { Evidence, Outcome } from '#attempts/decisions/evidence.ts';
import { localTimeAt, startOfDay } from '#kernel/calendar.ts';
import type { OpenHours, Zones } from '#policies/decisions/week-schedule.ts';
import { attemptsAllowed, contactOutcome, type ContactOutcome, type EndedAttempt, freeOutcome } from './contact-outcome.ts';
import { counted, decideByRules, jitterOf, type OutcomeCounts, type RuleDecision } from './decide-by-rules.ts';
import type { ResultReport } from '../outcome-store.ts';
import { type AttemptFacts, evidenceOf, outcomeOf, signalFacts } from './outcome.ts';
import { type DialledNumbers, type NumberChange, numberChange, type NumberQueue, numberQueue, onNextNumber } from './next-number.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import { withPartsOf } from './parts-of-day.ts';
import type { ReportReading } from './result-report.ts';

/** Rules that hold for a campaign. */
export interface RulesInForce {
  /** Row of `outcome_rules`. */
  id: number;
  rules: OutcomeRules;
  /** Hours in which the campaign dials. */
  open: OpenHours;
}

/** History of a contact. */
export interface ContactHistory extends DialledNumbers {
  outcomeCounts: OutcomeCounts;
  partsTried: number;
  /** Time zones in which the person may be. */
  zones: Zones;
  /** The attempt's outcome when a report arrives after it was settled: counted already. */
  earlierOutcome: Outcome | null;
}

/** Contact and attempt after an attempt has ended. */
export interface Conclusion extends ContactOutcome {
  outcome: Outcome;
  evidence: Evidence;
  outcomeCounts: OutcomeCounts;
  partsTried: number;
  /** A rule puts the number on the do-not-call list. */
  isListed: boolean;
  /** Text that the next call leaves on a mailbox; null: none. An attempt that is not counted changes nothing about it. */
  mailboxText: string | null;
  /** Null for a contact with a single number, and after an attempt that does not count. */
  number: NumberChange | null;
}

interface Concluded {
  attemptId: number;
  ended: EndedAttempt;
  facts: Omit<AttemptFacts, 'isSilentLine' | 'callStatus' | 'endedAt' | 'isOurFault' | 'isUnserved'>;
  contact: ContactHistory;
  ruled: RulesInForce | null;
}

/**
 * The outcome of an ended attempt, and what becomes of its contact: by the campaign's rules where it has some, else by its retry settings.
 *
 * Why:    a failure that is not the called person's costs them nothing, whatever the rules say
 * Source: D7.1, D7.13, D7.14
 */
export function concludeAttempt({ attemptId, ended, facts, contact, ruled }: Concluded): Conclusion {
  const free = freeOutcome(ended);
  const { callStatus, endedAt, isOurFault = false, isUnserved = false } = ended;
  const all = { ...facts, callStatus, endedAt, isOurFault, isUnserved: isOurFault && isUnserved, isSilentLine: free?.isLineFault ?? false };
  const outcome = outcomeOf(all);
  const isCounted = free?.isCounted ?? true;
  const before = without(contact.outcomeCounts, contact.earlierOutcome);
  const outcomeCounts = isCounted ? counted(before, outcome) : before;
  const partsTried = isCounted ? withPartsOf(contact.partsTried, contact.zones, facts.startedAt ?? endedAt) : contact.partsTried;
  const known = { outcome, evidence: evidenceOf(all), outcomeCounts, partsTried, isListed: false, mailboxText: null, number: null };
  if (free !== null) return { ...known, ...free };
  const queue = numberQueue(contact, outcome);
  // Nothing is dialled again on a guess, unless the campaign says so (D7.8).
  const isGuess = callStatus === null && ended.retryUnknown !== true;
  if (ruled === null || isGuess) return { ...known, ...withoutRules({ ended, contact, queue, outcome, outcomeCounts }) };
  const decision = decideByRules(ruled.rules, {
    outcome,
    counts: outcomeCounts,
    partsTried,
    endedAt,
    zones: contact.zones,
    open: ruled.open,
    attemptCount: ended.attemptCount,
    attemptsAllowed: attemptsAllowed(ended.maxRetries),
    intervalSeconds: ended.retryIntervalSeconds,
    isFirstNumber: queue.isFirst,
    hasNextNumber: queue.next !== null,
    jitter: jitterOf(attemptId),
  });
  const rule = { rulesId: ruled.id, row: decision.row, isBudgetSpent: decision.isBudgetSpent };
  const evidence = { ...known.evidence, rule };
  const number = numberChange(contact, outcome, numberByRule(decision, queue));
  return {
    ...known,
    ...byRule(decision, outcome, queue),
    number,
    evidence,
    isListed: decision.kind === 'do_not_call',
    mailboxText: mailboxTextOf(decision),
  };
}

interface Unruled extends Pick<Concluded, 'ended' | 'contact'> {
  queue: NumberQueue;
  outcome: Outcome;
  outcomeCounts: OutcomeCounts;
}

/** A retry begins with the first number again; only a number that does not exist gives way to the next one. */
function withoutRules({ ended, contact, queue, outcome, outcomeCounts }: Unruled): ContactOutcome & Pick<Conclusion, 'number'> {
  const becomes = contactOutcome({ ...ended, ...refusal(outcomeCounts, contact.zones, ended.endedAt) });
  const change = (next: string | null) => numberChange(contact, outcome, next);
  if (becomes.isUnreachable && queue.next !== null) return { ...onNextNumber(becomes, ended.endedAt), number: change(queue.next) };
  return { ...becomes, number: change(becomes.contactStatus === 'completed' ? null : queue.first) };
}

/** A contact that was reached keeps the number at which it was. */
function numberByRule(decision: RuleDecision, queue: NumberQueue): string | null {
  if (decision.kind === 'next_number') return queue.next;
  return decision.kind === 'done' ? null : queue.first;
}

function byRule(decision: RuleDecision, outcome: Outcome, { first }: NumberQueue): ContactOutcome {
  const retryAt = 'at' in decision ? decision.at : null;
  return {
    contactStatus: decision.kind === 'done' ? 'completed' : 'failed',
    retryAt,
    restsUntil: null,
    isUnreachable: outcome === 'invalid_number' && retryAt === null && first === null,
    isCounted: true,
    silentRepeats: 0,
    isLineFault: false,
  };
}

function mailboxTextOf(decision: RuleDecision): string | null {
  return decision.kind === 'again' ? (decision.mailboxText ?? null) : null;
}

function refusal(counts: OutcomeCounts, zones: Zones, endedAt: number): Pick<EndedAttempt, 'refusals' | 'nextDay'> {
  const nextDayIn = (zone: string) => startOfDay(zone, localTimeAt(zone, endedAt).day + 1);
  return { refusals: counts.rejected ?? 0, nextDay: () => Math.max(...zones.map(nextDayIn)) };
}

function without(counts: OutcomeCounts, outcome: Outcome | null): OutcomeCounts {
  return outcome === null ? counts : { ...counts, [outcome]: Math.max(0, (counts[outcome] ?? 0) - 1) };
}

interface ConcludedResult extends Pick<Concluded, 'contact' | 'ruled'> {
  attempt: Pick<EndedAttempt, 'attemptCount'> & Pick<AttemptFacts, 'ringback'> & { id: number };
  report: ResultReport;
  reading: Extract<ReportReading, { kind: 'first' }>;
  limits: Omit<EndedAttempt, 'callStatus' | 'attemptCount' | 'endedAt'>;
}

/** Like `concludeAttempt`, for the first report of a runtime. */
export function concludeResult({ attempt, report, reading, limits, contact, ruled }: ConcludedResult): Conclusion {
  const { fields, isScriptless, overAt } = reading;
  const { callStatus, startedAt, answeredAt, classification, hangupCause: cause } = fields;
  const facts = {
    startedAt,
    answeredAt,
    classification,
    cause,
    ringback: attempt.ringback,
    optOut: report.optOut,
    reported: report.callStatus,
  };
  return concludeAttempt({
    attemptId: attempt.id,
    contact,
    ruled,
    ended: { ...limits, callStatus, attemptCount: attempt.attemptCount, endedAt: overAt, isScriptless },
    facts: { ...facts, ...signalFacts(report.seen ?? {}, startedAt), ...speechOf(report.transcript) },
  });
}

/** How soon the customer's first words must come to be a greeting, ms after the answer. */
const GREETING_MS = 15_000;
/** Utterances that a greeting may be cut into. */
const GREETING_PARTS = 2;

interface Spoken {
  speaker: string;
  text: string;
  startMs: number | null;
}

/** Facts about the beginning of a call from its transcript; none when it is empty. */
export function speechOf(transcript: readonly Spoken[]): Pick<AttemptFacts, 'firstAudioMs' | 'firstWords' | 'hasCustomerSpoken'> {
  if (transcript.length === 0) return { firstAudioMs: null, firstWords: null, hasCustomerSpoken: null };
  const customer = transcript.filter(({ speaker, text }) => speaker === 'customer' && text.trim() !== '');
  const greeting = customer.filter(({ startMs }) => (startMs ?? 0) <= GREETING_MS).slice(0, GREETING_PARTS);
  return {
    firstAudioMs: transcript.find(({ speaker }) => speaker === 'bot')?.startMs ?? null,
    firstWords: greeting.length === 0 ? null : greeting.map(({ text }) => text).join(' '),
    hasCustomerSpoken: customer.length > 0,
  };
}
