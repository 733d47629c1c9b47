import type { FieldDefinition, FieldValue } from '#protocol/nlu.ts';
import type { NluEngine } from '#nlu/engine.ts';
import { type ExtractCase, sameValue } from './extract-set.ts';
import { percent } from './run-decisions.ts';

/** A field of an extraction case with the value that the engine extracted. */
export interface ExtractOutcome {
  text: string;
  field: FieldDefinition;
  expected: FieldValue;
  given: FieldValue;
  right: boolean;
  /** Confidence of the utterance's fields together. */
  confidence: number;
}

/** `engineAt` returns the engine with its clock at the time of the call. */
export async function runExtracts(engineAt: (now: string | null) => NluEngine, cases: readonly ExtractCase[]): Promise<ExtractOutcome[]> {
  const outcomes: ExtractOutcome[] = [];
  for (const { text, fields, expected, now } of cases) {
    const result = await engineAt(now).extract({ text, fields });
    for (const field of fields) {
      const wanted = expected[field.key] ?? null;
      const given = result.fields[field.key] ?? null;
      outcomes.push({ text, field, expected: wanted, given, right: sameValue(given, wanted), confidence: result.confidence });
    }
  }
  return outcomes;
}

const SHOWN_FAULTS = 20;

export function describeExtracts(outcomes: readonly ExtractOutcome[]): string[] {
  const byType = Map.groupBy(outcomes, outcome => outcome.field.type);
  const wrong = outcomes.filter(outcome => !outcome.right);
  return [
    'extract',
    ...[...byType].map(([type, group]) => `  ${type}: ${group.length} fields, accuracy ${percent(share(group))}`),
    `  all: ${outcomes.length} fields, accuracy ${percent(share(outcomes))}`,
    ...wrong
      .slice(0, SHOWN_FAULTS)
      .map(
        ({ text, field, expected, given }) =>
          `  wrong: ${text} [${field.label}] expected ${JSON.stringify(expected)}, given ${JSON.stringify(given)}`,
      ),
  ];
}

function share(outcomes: readonly ExtractOutcome[]): number {
  return outcomes.filter(outcome => outcome.right).length / Math.max(1, outcomes.length);
}
