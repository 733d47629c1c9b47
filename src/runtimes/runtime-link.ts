import type { CallCommand } from '#protocol/operations.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { OptionalCommand } from '#protocol/guidance.ts';
import type { CommandAnswer, StartAnswer } from '#protocol/hand-over.ts';

/**
 * Commands to the call-flow runtimes.
 *
 * Source: A4 `callout.v1.command.<requestId>.<name>`, `callout.v1.runtime-pool.<runtimeId>.<name>`
 */
export interface RuntimeLink {
  /**
   * When the bus last returned, UTC ms; 0 when it has never been away, null while it is: answered calls could not be handed to a runtime.
   */
  reachableSince(): number | null;
  /**
   * Offers an answered call to one runtime; null: to the runtimes that have not registered. Never rejects: no reply, or an invalid one, counts
   * as a refusal by this runtime alone.
   */
  start(runtimeId: string | null, requestId: string, body: JsonObject): Promise<StartAnswer>;
  /** Notifies the runtime, once, that the call is not or no longer its own. */
  release(runtimeId: string, release: { requestId: string; epoch: number; reason: 'superseded' | 'ended' }): void;
  /** Errors: BUS_UNAVAILABLE when no runtime listens, none replies in time, or the reply is not `ok: true` */
  command(requestId: string, name: RuntimeCommandName, body: JsonObject): Promise<void>;
  /** Like `command`, for a runtime that may refuse. Errors: BUS_UNAVAILABLE when no runtime listens or none replies as the contract requires */
  order(requestId: string, name: OptionalCommand, body: JsonObject): Promise<CommandAnswer>;
  /** The runtime that claims to have the call; null when none does. Never rejects: no reply means none. */
  holder(requestId: string): Promise<CallHolder | null>;
  /**
   * Whether an unregistered runtime accepts calls. A mere subscriber does not count: it must reply as the contract requires. Never rejects;
   * null while the bus is disconnected.
   */
  listens(): Promise<boolean | null>;
  /** Sends a registered runtime a dummy `start` that must be refused, and returns its reaction. Never rejects. */
  probe(runtimeId: string): Promise<ProbeAnswer>;
  /** Whether a runtime receives the commands of this call. Never rejects; null: the bus is disconnected, or a subscriber does not reply. */
  hears(requestId: string): Promise<boolean | null>;
  /** Requests an immediate heartbeat from every registered runtime, because the pool may have been lost. */
  requestHeartbeats(): void;
}

/** `silent`: no reply from a subscriber, or the bus is disconnected. `absent`: no subscriber for its calls. */
export type ProbeAnswer = 'answers' | 'silent' | 'absent';

export interface CallHolder {
  /** Null: it did not give its id. */
  runtimeId: string | null;
  epoch: number | null;
}

/** Commands to a call that has its runtime. */
type RuntimeCommandName = Exclude<CallCommand, 'start' | 'ping' | OptionalCommand>;

export interface RuntimePart {
  runtime: RuntimeLink;
}
