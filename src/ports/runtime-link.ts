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
  /** Whether anybody takes calls without having registered. Never rejects; null: the bus is away. */
  listens(): Promise<boolean | null>;
  /** Whether anybody hears this call's commands. Never rejects; null: the bus is away. */
  hears(requestId: string): Promise<boolean | null>;
  /** Asks every registered runtime for a beat at once: what was known of them may be lost. */
  callRoll(): void;
}

/** `declined`: another may take it. `refused`: this is no call to any runtime. */
export type StartAnswer = 'accepted' | 'declined' | 'refused';

export interface CallHolder {
  /** Null: it has not said. */
  runtimeId: string | null;
  epoch: number | null;
}

export type RuntimeCommandName = 'hangup' | 'intervene' | 'cancel' | 'transfer';
