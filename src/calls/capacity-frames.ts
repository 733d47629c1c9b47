import type { CapacityEvent } from '#monitoring/capacity-feed.ts';
import type { MonitorCapacity } from '#monitoring/monitor-registry.ts';
import { encodeEvent, type EventStream } from '#platform/sse/stream.ts';

/**
 * Writes the monitors' capacity between the call events of one stream.
 *
 * Why:    capacity is a current state, not an event of a call: it carries the id of the last call event, so that a client that reconnects
 *         with this id continues where it was
 * Source: D9.2, D10 `capacity`
 */
export class CapacityFrames {
  readonly #stream: Pick<EventStream, 'write'>;
  /** Id of the last call event; null before the first, because nothing is sent before the calls. */
  #id: string | null;
  #latest: { capacity: MonitorCapacity; at: number } | null = null;
  #isDue = false;

  constructor(stream: Pick<EventStream, 'write'>, id: string | null) {
    this.#stream = stream;
    this.#id = id;
  }

  /** Records that the call event with this id was sent. */
  passed(id: string): void {
    this.#id = id;
    if (this.#isDue) this.#write();
  }

  take(event: CapacityEvent): void {
    if (event.kind === 'resync') return;
    this.#latest = { capacity: event.kind === 'snapshot' ? event.state : event.change, at: event.at };
    this.#write();
  }

  /** Sends the capacity again, because the client may have missed it. */
  repeat(): void {
    this.#write();
  }

  #write(): void {
    this.#isDue = this.#latest !== null && this.#id === null;
    if (this.#latest === null || this.#id === null) return;
    const { capacity, at } = this.#latest;
    const data = { callKey: null, campaignId: null, version: null, at: new Date(at).toISOString(), capacity };
    this.#stream.write(encodeEvent({ id: this.#id, event: 'capacity', data }));
  }
}
