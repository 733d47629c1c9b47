import { type DecisionResult, type ExtractResult, NLU_ACTIONS, type NluAction } from '#protocol/nlu.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import type { ProfileRegistry } from '../profiles.ts';
import { decision } from './decision.ts';
import { extract } from './extract.ts';

type Answer = DecisionResult | ExtractResult;

const HANDLERS: Record<NluAction, (profiles: ProfileRegistry, body: unknown) => Answer | Promise<Answer>> = { decision, extract };

/**
 * POST /api/v1/nlu and its suffixed forms: determines the action and passes the body to its handler.
 *
 * Errors: INVALID_ARGUMENT when the action is unknown or differs from the suffix
 * Source: NLU §4, D13.6
 */
export function perform(profiles: ProfileRegistry, body: unknown, suffix: NluAction | null): Answer | Promise<Answer> {
  return HANDLERS[actionOf(body, suffix)](profiles, body);
}

function actionOf(body: unknown, suffix: NluAction | null): NluAction {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体必须是 JSON 对象');
  }
  const given: unknown = 'action' in body ? body.action : undefined;
  if (suffix !== null) {
    if (given !== undefined && given !== suffix) throw invalidArgument('action', 'unlikePath', { expected: suffix });
    return suffix;
  }
  if (given === undefined) throw invalidArgument('action', 'missing');
  const action = NLU_ACTIONS.find(known => known === given);
  if (!action) throw invalidArgument('action', 'onlyOneOf', { first: NLU_ACTIONS[0], second: NLU_ACTIONS[1] });
  return action;
}
