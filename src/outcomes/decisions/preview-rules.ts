import type { Outcome } from '#attempts/decisions/evidence.ts';
import { counted, decideByRules, jitterOf, type OutcomeCounts, type RuledAttempt } from './decide-by-rules.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import { withPartOf } from './parts-of-day.ts';

/** A counted attempt as it is stored. Units: UTC ms */
export interface PastAttempt {
  id: number;
  contactId: number;
  outcome: Outcome;
  startedAt: number;
  endedAt: number;
}

/** Effect that rules would have had on past attempts. */
export interface RulesPreview {
  contacts: number;
  attempts: number;
  /** Dials that the rules would not have made. */
  dialsSaved: number;
  /** Customers who were reached by such a dial. */
  reachedLost: number;
  /** Contacts that were given up, and would have been tried again. */
  triedAgain: number;
  /** How many of these a further dial would have reached, at the rate of that dial's number in the same attempts. */
  reachedMore: number;
}

type Place = Pick<RuledAttempt, 'attemptsAllowed' | 'intervalSeconds' | 'open' | 'zone'>;

const REACHED: readonly Outcome[] = ['completed', 'opted_out'];

/**
 * Replays stored attempts through rules: where a contact would have ended earlier, and where it would have been tried again.
 *
 * Shape:  `attempts` of a contact in order; `hasNextNumber` is not replayed, for the past knew one number only
 * Source: D7.14
 */
export function previewRules(rules: OutcomeRules, attempts: readonly PastAttempt[], place: Place): RulesPreview {
  const histories = [...Map.groupBy(attempts, ({ contactId }) => contactId).values()];
  const rates = answerRates(histories);
  const preview: RulesPreview = {
    contacts: histories.length,
    attempts: attempts.length,
    dialsSaved: 0,
    reachedLost: 0,
    triedAgain: 0,
    reachedMore: 0,
  };
  for (const history of histories) {
    const { made, goesOn } = replay(rules, history, place);
    const saved = history.slice(made);
    preview.dialsSaved += saved.length;
    preview.reachedLost += Number(saved.some(isReached));
    if (goesOn && saved.length === 0) {
      preview.triedAgain += 1;
      preview.reachedMore += rates(history.length + 1);
    }
  }
  return { ...preview, reachedMore: Math.round(preview.reachedMore) };
}

/** How many of a contact's attempts the rules would have made, and whether another would follow the last of these. */
function replay(rules: OutcomeRules, history: readonly PastAttempt[], place: Place): { made: number; goesOn: boolean } {
  let counts: OutcomeCounts = {};
  let partsTried = 0;
  for (const [index, { id, outcome, startedAt, endedAt }] of history.entries()) {
    counts = counted(counts, outcome);
    partsTried = withPartOf(partsTried, place.zone, startedAt);
    const number = { isFirstNumber: true, hasNextNumber: false };
    const attempt = { ...place, ...number, outcome, counts, attemptCount: index + 1, partsTried, endedAt, jitter: jitterOf(id) };
    if (!('at' in decideByRules(rules, attempt))) return { made: index + 1, goesOn: false };
  }
  return { made: history.length, goesOn: true };
}

/** Share of reached customers by the place of a dial in its contact's history; where none was made so late, that of the latest made. */
function answerRates(histories: readonly (readonly PastAttempt[])[]): (place: number) => number {
  const longest = Math.max(0, ...new Set(histories.map(history => history.length)));
  const rates = Array.from({ length: longest }, (_, index) => {
    const dials = histories.flatMap(history => history[index] ?? []);
    return dials.filter(isReached).length / dials.length;
  });
  return place => rates[place - 1] ?? rates.at(-1) ?? 0;
}

function isReached({ outcome }: PastAttempt): boolean {
  return REACHED.includes(outcome);
}
