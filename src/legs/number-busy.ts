import { type CalloutError, conflict } from '#kernel/errors.ts';
import type { NumberFacts } from '#dialling/evaluate.ts';

/** A number is rung by one call at a time; the message names whose call it is. Source: D7.10, D12.3 */
export async function numberBusy(callTargets: Pick<NumberFacts, 'holderOf'>, dialKey: string): Promise<CalloutError> {
  const holder = await callTargets.holderOf(dialKey);
  if (holder === null) return conflict('PERSON_IN_CALL', '该号码刚才还在另一通电话中，现已结束，请再拨一次');
  return conflict('PERSON_IN_CALL', `该号码正在另一通电话中（${holder}），请在通话结束后再拨`);
}
