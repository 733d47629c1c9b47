import type { Clock } from '#kernel/clock.ts';
import type { NluEngine } from '#nlu/engine.ts';
import type { DecisionCase } from './decision-set.ts';
import { type Answer, measure } from './measure.ts';

/** A decision case with the engine's answer. */
export interface DecisionOutcome extends Answer {
  case: DecisionCase;
  given: string;
  /** Duration, in µs. */
  took: number;
}

export async function runDecisions(engine: NluEngine, cases: readonly DecisionCase[], clock: Clock): Promise<DecisionOutcome[]> {
  const outcomes: DecisionOutcome[] = [];
  for (const entry of cases) {
    const start = clock.monotonic();
    const { key, confidence } = await engine.decide(entry);
    outcomes.push({ case: entry, given: key, right: key === entry.key, confidence, took: (clock.monotonic() - start) * 1_000 });
  }
  return outcomes;
}

const SHOWN_CONFUSIONS = 20;

/** Report with one line per number of branches, one per domain, and the most frequent confusions. */
export function describeDecisions(outcomes: readonly DecisionOutcome[]): string[] {
  const bySize = Map.groupBy(outcomes, outcome => outcome.case.branches.length);
  const byDomain = Map.groupBy(outcomes, outcome => outcome.case.domain);
  return [
    'decision',
    ...[...bySize].sort(([one], [other]) => one - other).map(([size, group]) => line(`  among ${size}`, group)),
    line('  all', outcomes),
    'by domain',
    ...[...byDomain].map(([domain, group]) => line(`  ${domain}`, group)),
    'confusions (expected → given, count)',
    ...confusions(outcomes),
  ];
}

function line(name: string, outcomes: readonly DecisionOutcome[]): string {
  const { count, accuracy, ece, keptShare, keptAccuracy } = measure(outcomes);
  const times = outcomes.map(outcome => outcome.took).sort((one, other) => one - other);
  const quantile = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
  const sure = `confidence ≥ 0.8 keeps ${percent(keptShare)} at ${percent(keptAccuracy)}`;
  return `${name}: ${count} cases, accuracy ${percent(accuracy)}, ECE ${ece.toFixed(3)}, ${sure}, p50 ${quantile(0.5)} µs, p99 ${quantile(0.99)} µs`;
}

function confusions(outcomes: readonly DecisionOutcome[]): string[] {
  const wrong = outcomes.filter(outcome => !outcome.right);
  const pairs = Map.groupBy(wrong, outcome => `${describe(outcome, outcome.case.key)} → ${describe(outcome, outcome.given)}`);
  return [...pairs]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, SHOWN_CONFUSIONS)
    .map(([pair, group]) => `  ${group.length} × ${pair}: ${group[0]?.case.text ?? ''}`);
}

function describe(outcome: DecisionOutcome, key: string): string {
  return outcome.case.branches.find(branch => branch.key === key)?.desc ?? key;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
