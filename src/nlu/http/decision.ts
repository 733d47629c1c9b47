import type { DecisionResult } from '#protocol/nlu.ts';
import { readDecisionBody } from './read-body.ts';
import type { ProfileRegistry } from '../profiles.ts';

/** POST /api/v1/nlu, action `decision`. Source: NLU §4 */
export function decision(profiles: ProfileRegistry, body: unknown): DecisionResult | Promise<DecisionResult> {
  const { profile, text, branches } = readDecisionBody(body);
  return profiles.get(profile).engine.decide({ text, branches });
}
