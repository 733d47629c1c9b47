import type { NluHealth } from '#protocol/nlu.ts';

/** GET /health. Source: NLU §2 "Health data", §4 */
export function health(): NluHealth {
  return { service: 'callout-nlu' };
}
