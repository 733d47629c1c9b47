import { type DecisionResult, decisionBody } from '#contract/nlu/decision.ts';
import type { ProfileRegistry } from '../profiles.ts';
import { validate } from './validate.ts';

/** POST /api/v1/nlu, action `decision`. Source: NLU §4 */
export function decision(profiles: ProfileRegistry, body: unknown): DecisionResult | Promise<DecisionResult> {
  const { profile, text, branches } = validate(decisionBody, body);
  return profiles.get(profile).engine.decide({ text, branches });
}
