import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { OutcomeRule, OutcomeRules, OutcomeStep } from '#outcomes/decisions/outcome-rules.ts';
import type { Dice } from '../dice.ts';

/** Outcomes that calls of the simulation have and rules may follow by another dial. */
const DIALLED_AGAIN: readonly Outcome[] = ['no_answer', 'busy', 'rejected', 'power_off', 'network_busy', 'voicemail', 'short', 'silent'];

/** Rules of a few rows whose waits fit into a run. */
export function drawRules(draw: Dice): OutcomeRules {
  return {
    maxAttempts: draw.between(1, 4),
    rules: Array.from({ length: draw.between(1, 4) }, () => drawRule(draw)),
    otherwise: { kind: 'not_reached' },
  };
}

function drawRule(draw: Dice): OutcomeRule {
  const outcomes = DIALLED_AGAIN.filter(() => draw.chance(0.5));
  return {
    outcomes: outcomes.length > 0 ? outcomes : [...DIALLED_AGAIN],
    from: draw.between(1, 2),
    to: draw.pick([null, 2, 3]),
    number: 'any',
    next: drawStep(draw),
  };
}

function drawStep(draw: Dice): OutcomeStep {
  const afterSeconds = draw.pick([30, 45, 90]);
  return draw.pick<OutcomeStep>([
    { kind: 'again', afterSeconds, jitterSeconds: draw.pick([0, 20]) },
    { kind: 'again', afterSeconds, jitterSeconds: 0 },
    { kind: 'leave_message', afterSeconds, text: '请回电' },
    { kind: 'not_reached' },
    { kind: 'do_not_call' },
  ]);
}

/**
 * How long a contact rests after these outcomes by the table, read literally, s; Infinity when it is not dialled again.
 *
 * Why: the product's own decision must not judge itself
 */
export function restByRules({ rules }: OutcomeRules, outcomes: readonly Outcome[]): number {
  const last = outcomes.at(-1);
  for (const row of rules) {
    const count = outcomes.filter(outcome => row.outcomes.includes(outcome)).length;
    if (last === undefined || !row.outcomes.includes(last) || count < row.from || (row.to !== null && count > row.to)) continue;
    return row.next.kind === 'again' || row.next.kind === 'leave_message' ? row.next.afterSeconds : Infinity;
  }
  return Infinity;
}
