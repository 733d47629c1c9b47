import type { JsonObject } from '#kernel/json.ts';

/**
 * Commands to the call-flow runtimes.
 *
 * Source: A4 `callout.v1.command.<requestId>.<name>`, `callout.v1.runtime-pool.<runtimeId>.<name>`
 */
export interface RuntimeLink {
  /** False while the bus is away: an answered call could be handed to nobody. */
  isReachable(): boolean;
  /**
   * Offers an answered call to one runtime; null: to whoever takes calls without having registered. Never rejects: silence, and an answer that
   * nobody understands, are a refusal of this runtime alone.
   */
  start(runtimeId: string | null, requestId: string, body: JsonObject): Promise<StartAnswer>;
  /** Told once: the call is not this runtime's, or not any more. */
  release(runtimeId: string, release: { requestId: string; epoch: number; reason: 'superseded' | 'ended' }): void;
  /** Errors: BUS_UNAVAILABLE when nobody answers within the time, no runtime listens, or it answers anything but `ok: true` */
  command(requestId: string, name: RuntimeCommandName, body: JsonObject): Promise<void>;
  /** The runtime that says that it has the call; null: none does. Never rejects: silence is a no. */
  holder(requestId: string): Promise<CallHolder | null>;
  /**
   * Whether anybody takes calls without having registered. Who only listens serves nobody: it counts once it answers as the contract has it. Never
   * rejects; null: the bus is away.
   */
  listens(): Promise<boolean | null>;
  /** What a registered runtime makes of a start that is none, which nobody may take. Never rejects. */
  probe(runtimeId: string): Promise<ProbeAnswer>;
  /** Whether anybody hears this call's commands. Never rejects; null: the bus is away, or somebody listens who does not answer. */
  hears(requestId: string): Promise<boolean | null>;
  /** Asks every registered runtime for a beat at once: what was known of them may be lost. */
  callRoll(): void;
}

/** `declined`: another may take it. `unanswered`: nothing came in time, or what nobody understands. `refused`: this is no call to any runtime. */
export type StartAnswer = 'accepted' | 'declined' | 'unanswered' | 'refused';

/** `silent`: it listens, or the bus is away. `absent`: nobody listens where its calls are offered. */
export type ProbeAnswer = 'answers' | 'silent' | 'absent';

export interface CallHolder {
  /** Null: it has not said. */
  runtimeId: string | null;
  epoch: number | null;
}

export type RuntimeCommandName = 'hangup' | 'intervene' | 'cancel' | 'transfer';
