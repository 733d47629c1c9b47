import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { Zones } from '#policies/decisions/week-schedule.ts';
import { counted, decideByRules, jitterOf, type OutcomeCounts, type RuledAttempt } from './decide-by-rules.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import { withPartsOf } from './parts-of-day.ts';

/** A counted attempt as it is stored. Units: UTC ms */
interface PastAttempt {
  id: number;
  outcome: Outcome;
  /** Nobody knows how it ended: the status of the call is not known. */
  isUnknown: boolean;
  startedAt: number;
  endedAt: number;
}

/** The attempts of one contact in their order; not empty. */
export interface History {
  zones: Zones;
  attempts: readonly PastAttempt[];
}

/** Effect that rules would have had on past attempts. */
export interface PreviewCounts {
  contacts: number;
  attempts: number;
  /** Dials that the rules would not have made. */
  dialsSaved: number;
  /** Customers who were reached by such a dial. */
  reachedLost: number;
  /** Contacts that were given up, and would have been tried again. */
  triedAgain: number;
  /** How many of these a further dial would have reached, at the rate of that dial's number in the same attempts; not rounded. */
  reachedMore: number;
  /** How often each row decided; at -1 how often none did. */
  applied: Record<number, number>;
}

/** Inputs of the rules besides the attempts. */
export type Setting = Pick<RuledAttempt, 'attemptsAllowed' | 'intervalSeconds' | 'open'> & {
  /** Whether a call of unknown outcome is dialled again at all (D7.8). */
  retryUnknown: boolean;
};

const REACHED: readonly Outcome[] = ['completed', 'opted_out'];

/** Key in `applied` of `otherwise`. */
export const NO_ROW = -1;

/**
 * Replays stored attempts through rules: where a contact would have ended earlier, and where it would have been tried again.
 *
 * Shape:  `hasNextNumber` is not replayed, for the past knew one number only; `rates` are those of all histories
 * Source: D7.14
 */
export function previewRules(
  rules: OutcomeRules,
  histories: readonly History[],
  setting: Setting,
  rates = answerRates(histories),
): PreviewCounts {
  const preview: PreviewCounts = {
    contacts: histories.length,
    attempts: 0,
    dialsSaved: 0,
    reachedLost: 0,
    triedAgain: 0,
    reachedMore: 0,
    applied: {},
  };
  for (const history of histories) addReplay(preview, history, { ...replay(rules, history, setting), rates });
  return preview;
}

interface Replay {
  /** How many of the attempts the rules would have made. */
  made: number;
  /** Whether another would follow the last of these. */
  goesOn: boolean;
  /** The row that decided after each of these. */
  rows: readonly number[];
}

function addReplay(preview: PreviewCounts, { attempts }: History, { made, goesOn, rows, rates }: Replay & { rates: AnswerRates }): void {
  const saved = attempts.slice(made);
  preview.attempts += attempts.length;
  preview.dialsSaved += saved.length;
  preview.reachedLost += Number(saved.some(isReached));
  for (const row of rows) preview.applied[row] = (preview.applied[row] ?? 0) + 1;
  if (!goesOn || saved.length > 0) return;
  preview.triedAgain += 1;
  preview.reachedMore += rates(attempts.length + 1);
}

function replay(rules: OutcomeRules, { attempts, zones }: History, setting: Setting): Replay {
  let counts: OutcomeCounts = {};
  let partsTried = 0;
  const rows: number[] = [];
  for (const [index, { id, outcome, isUnknown, startedAt, endedAt }] of attempts.entries()) {
    const made = index + 1;
    counts = counted(counts, outcome);
    partsTried = withPartsOf(partsTried, zones, startedAt);
    if (isUnknown && !setting.retryUnknown) return { made, goesOn: false, rows };
    const number = { isFirstNumber: true, hasNextNumber: false };
    const contact = { ...number, counts, attemptCount: made, partsTried, zones, jitter: jitterOf(id) };
    const decision = decideByRules(rules, { ...setting, ...contact, outcome, endedAt });
    rows.push(decision.row ?? NO_ROW);
    if (!('at' in decision)) return { made, goesOn: false, rows };
  }
  return { made: attempts.length, goesOn: true, rows };
}

/** Share of reached customers by the place of a dial in its contact's history, from 1 on. */
type AnswerRates = (place: number) => number;

/** The rate of a dial later than any that was made is that of the latest made. */
export function answerRates(histories: readonly History[]): AnswerRates {
  const longest = Math.max(0, ...new Set(histories.map(({ attempts }) => attempts.length)));
  const rates = Array.from({ length: longest }, (_, index) => {
    const dials = histories.flatMap(({ attempts }) => attempts[index] ?? []);
    return dials.filter(isReached).length / dials.length;
  });
  return place => rates[place - 1] ?? rates.at(-1) ?? 0;
}

/** The counts of several groups of contacts together. */
export function sumOfPreviews(previews: readonly PreviewCounts[]): PreviewCounts {
  const sum = (name: Exclude<keyof PreviewCounts, 'applied'>) => previews.reduce((total, each) => total + each[name], 0);
  const applied: Record<number, number> = {};
  for (const each of previews)
    for (const [row, times] of Object.entries(each.applied)) applied[Number(row)] = (applied[Number(row)] ?? 0) + times;
  return {
    contacts: sum('contacts'),
    attempts: sum('attempts'),
    dialsSaved: sum('dialsSaved'),
    reachedLost: sum('reachedLost'),
    triedAgain: sum('triedAgain'),
    reachedMore: sum('reachedMore'),
    applied,
  };
}

function isReached({ outcome }: PastAttempt): boolean {
  return REACHED.includes(outcome);
}
