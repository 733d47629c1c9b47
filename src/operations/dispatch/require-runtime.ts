import { CalloutError } from '#kernel/errors.ts';
import type { RuntimeLink } from '#ports/runtime-link.ts';

/**
 * Nobody is called while the bus is away: no runtime could be told of the answer, and the customer would hear silence.
 *
 * Errors: BUS_UNAVAILABLE
 */
export function requireRuntime(deps: { runtime: Pick<RuntimeLink, 'isReachable'> }): void {
  if (!deps.runtime.isReachable()) throw new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用，已暂停拨号，恢复后请重试');
}
