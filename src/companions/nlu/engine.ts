import type { Branch, DecisionResult } from '#contract/nlu/decision.ts';
import type { ExtractResult, FieldDefinition } from '#contract/nlu/extract.ts';

export interface DecisionTask {
  text: string;
  branches: readonly Branch[];
}

export interface ExtractTask {
  text: string;
  fields: readonly FieldDefinition[];
}

/**
 * What a profile runs on. An engine without I/O answers at once, one that asks a model answers later.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID, RATE_LIMITED from engines that ask a model; none from `local`
 */
export interface NluEngine {
  decide(task: DecisionTask): DecisionResult | Promise<DecisionResult>;
  extract(task: ExtractTask): ExtractResult | Promise<ExtractResult>;
}
