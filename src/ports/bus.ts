/**
 * The message bus between server instances and the call-flow runtime. It carries; no fact stands on it alone (A1.2).
 *
 * Source: A4
 */
export interface Bus {
  /** Sends once, JSON; dropped while disconnected or when too large: every receiver has another way to learn. */
  publish(subject: string, payload: unknown): void;
  /** As `publish`, but in no hurry: leaves with what is sent next, in the order of both, or a moment later. */
  publishCalmly(subject: string, payload: unknown): void;
  /**
   * Asks and waits for one answer.
   *
   * Errors: BUS_UNAVAILABLE when nobody listens, nobody answers in time, or the bus is away; PAYLOAD_TOO_LARGE
   */
  request(subject: string, payload: unknown, timeoutMs: number, headers?: BusHeaders): Promise<unknown>;
  /** Hands each message to `listener`; with `queue`, one member of the group gets it. The returned function stops it. */
  subscribe(subject: string, options: { queue?: string }, listener: (message: BusMessage) => void): () => void;
  /** Reports of the runtime from their durable inbox; each is handed on until it is settled. The returned function stops it. */
  consumeReports(listener: (report: DurableReport) => void): Promise<() => Promise<void>>;
  isConnected(): boolean;
  onChange(listener: (connected: boolean) => void): () => void;
}

export type BusHeaders = Readonly<Record<string, string>>;

export interface BusMessage {
  subject: string;
  /** Absent when it has none. */
  headers?: BusHeaders;
  /** Parsed JSON; null when it was empty, undefined when it was not JSON. */
  body: unknown;
  /** As it came; absent in a bus that is played. */
  bytes?: Uint8Array;
  /** Absent when the sender wants no answer. Errors: PAYLOAD_TOO_LARGE */
  respond?: (body: unknown) => void;
}

export interface DurableReport {
  subject: string;
  /** Absent when it has none. */
  headers?: BusHeaders;
  /** As it came; absent in a bus that is played. */
  bytes?: Uint8Array;
  /** When the stream took it, by the clock of the bus, UTC ms; absent in a bus that is played. */
  storedAt?: number;
  /** Parsed JSON; null when it was empty, undefined when it was not JSON. */
  body: unknown;
  /** Deliveries so far, this one included. */
  deliveries: number;
  /** Done: never delivered again. */
  ack(): void;
  /** Not now: delivered again after `delayMs`. */
  retry(delayMs: number): void;
  /** Never possible: not delivered again. */
  discard(): void;
}

/** Lets every instance know that something changed for a campaign's dispatch; lost wakes are covered by the campaign's wake-up time. */
export interface Wake {
  /** Null: all running campaigns. */
  campaign(campaignId: number | null): void;
}
