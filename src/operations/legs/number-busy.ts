import { type CalloutError, conflict } from '#kernel/errors.ts';

/** A number is rung by one call at a time. Source: D7.10, D12.3 */
export function numberBusy(): CalloutError {
  return conflict('PERSON_IN_CALL', '该号码正在另一通电话中（活动外呼或其他坐席），请在通话结束后再拨');
}
