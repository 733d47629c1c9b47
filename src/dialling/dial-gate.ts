import { CalloutError } from '#kernel/errors.ts';
import type { RuntimeLink } from '#runtimes/runtime-link.ts';

/**
 * Whether this instance may dial at all now.
 *
 * Why: without the bus no runtime would learn of an answer, and the customer would hear silence; an instance that stops starts nothing new
 */
export interface DialGate {
  /** The reason not to dial; null when dialling is allowed. */
  refusal(): CalloutError | null;
  /** Aborts when the instance begins to shut down. */
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
export function requireDialAllowed(gate: Pick<DialGate, 'refusal'>): void {
  const refusal = gate.refusal();
  if (refusal) throw refusal;
}
