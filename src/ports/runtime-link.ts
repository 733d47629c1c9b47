import type { JsonObject } from './records.ts';

/**
 * Commands to the call-flow runtime that runs a call.
 *
 * Errors: BUS_UNAVAILABLE when nobody answers within the time, no runtime listens, or it answers anything but `ok: true`
 * Source: A4 `callout.v1.command.<requestId>.<name>`
 */
export interface RuntimeLink {
  /** False while the bus is away: an answered call could be handed to nobody. */
  isReachable(): boolean;
  command(requestId: string, name: RuntimeCommandName, body: JsonObject): Promise<void>;
  /** Whether some runtime says that it has the call. Never rejects: silence is a no. */
  holds(requestId: string): Promise<boolean>;
}

export type RuntimeCommandName = 'start' | 'hangup' | 'intervene' | 'cancel' | 'transfer';
