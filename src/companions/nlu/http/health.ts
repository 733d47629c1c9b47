import type { NluHealth } from '#contract/nlu/envelope.ts';

/** GET /health. Source: NLU §2 "Health data", §4 */
export function health(): NluHealth {
  return { service: 'callout-nlu' };
}
