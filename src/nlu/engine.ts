import type { Branch, DecisionResult, ExtractResult, FieldDefinition } from '#protocol/nlu.ts';

export interface DecisionTask {
  text: string;
  branches: readonly Branch[];
}

export interface ExtractTask {
  text: string;
  fields: readonly FieldDefinition[];
}

/**
 * The engine of a profile. The local engine returns at once unless a task is long; one that queries a model returns promises.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID, RATE_LIMITED from engines that query a model; none from `local`
 */
export interface NluEngine {
  decide(task: DecisionTask): DecisionResult | Promise<DecisionResult>;
  extract(task: ExtractTask): ExtractResult | Promise<ExtractResult>;
}
