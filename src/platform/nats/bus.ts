/**
 * The message bus between server instances and call-flow runtimes. It only transports: no fact is stored on it alone (A1.2).
 *
 * Source: A4
 */
export interface Bus {
  /** Sends a JSON message once; dropped while disconnected or when too large, because every receiver has another source for the facts. */
  publish(subject: string, payload: unknown): void;
  /** Like `publish` with low priority: sent with the next message, in order, or after a short delay. */
  publishCalmly(subject: string, payload: unknown): void;
  /**
   * Sends a request and waits for one reply.
   *
   * Errors: BUS_UNAVAILABLE without responders, on time-out or while disconnected; PAYLOAD_TOO_LARGE
   */
  request(subject: string, payload: unknown, timeoutMs: number, headers?: BusHeaders): Promise<unknown>;
  /** Calls `listener` for each message; with `queue`, one member of the group receives it. The returned function unsubscribes. */
  subscribe(subject: string, options: { queue?: string }, listener: (message: BusMessage) => void): () => void;
  /** Consumes the runtime reports from the durable inbox; each is redelivered until settled. The returned function stops it. */
  consumeReports(listener: (report: DurableReport) => void): Promise<() => Promise<void>>;
  isConnected(): boolean;
  onChange(listener: (connected: boolean) => void): () => void;
}

export type BusHeaders = Readonly<Record<string, string>>;

export interface BusMessage {
  subject: string;
  /** Absent when the message has none. */
  headers?: BusHeaders;
  /** Parsed JSON; null when it was empty, undefined when it was not JSON. */
  body: unknown;
  /** Raw payload; absent in a simulated bus. */
  bytes?: Uint8Array;
  /** Absent when the sender expects no reply. Errors: PAYLOAD_TOO_LARGE */
  respond?: (body: unknown) => void;
}

export interface DurableReport {
  subject: string;
  /** Absent when the message has none. */
  headers?: BusHeaders;
  /** Raw payload; absent in a simulated bus. */
  bytes?: Uint8Array;
  /** Time at which the stream stored it, by the clock of the bus, UTC ms; absent in a simulated bus. */
  storedAt?: number;
  /** Parsed JSON; null when it was empty, undefined when it was not JSON. */
  body: unknown;
  /** Deliveries so far, including this one. */
  deliveries: number;
  /** Settles the report: never delivered again. */
  ack(): void;
  /** Redelivers the report after `delayMs`. */
  retry(delayMs: number): void;
  /** Rejects an invalid report for good: never delivered again. */
  discard(): void;
}

/** Notifies every instance of a change that affects a campaign's dispatch; the campaign's wake-up time covers lost notifications. */
export interface Wake {
  /** Null: all running campaigns. */
  campaign(campaignId: number | null): void;
}
