import { CalloutError } from '#kernel/errors.ts';
import type { RuntimeLink } from '#ports/runtime-link.ts';

/**
 * Whether this instance may call anybody now.
 *
 * Why: while the bus is away no runtime could learn of an answer, and the customer would hear silence; an instance that stops starts nothing new
 */
export interface DialGate {
  /** Why nobody may be called; null when they may. */
  refusal(): CalloutError | null;
  /** Aborts when the instance begins to stop. */
  readonly stopping: AbortSignal;
  stop(): void;
}

export function createDialGate(deps: { runtime: Pick<RuntimeLink, 'isReachable'> }): DialGate {
  const stopping = new AbortController();
  return {
    refusal() {
      if (stopping.signal.aborted) return new CalloutError('SERVER_STOPPING', '服务正在停止，不再拨号，请稍后重试');
      if (!deps.runtime.isReachable()) return new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用，已暂停拨号，恢复后请重试');
      return null;
    },
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
}

/** Errors: SERVER_STOPPING; BUS_UNAVAILABLE */
export function requireOpen(gate: Pick<DialGate, 'refusal'>): void {
  const refusal = gate.refusal();
  if (refusal) throw refusal;
}
