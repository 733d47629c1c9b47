import type { CapacityEvent } from '#feeds/capacity-feed.ts';
import type { MonitorCapacity } from '#ports/monitor-registry.ts';
import { encodeEvent, type EventStream } from './stream.ts';

/**
 * Puts the monitors' capacity between the events of one stream's calls.
 *
 * Why:    it is a picture of the moment, no event of a call: it bears the id of the last of these, so that a client that comes back with it goes on
 *         where it was
 * Source: D9.2, D10 `capacity`
 */
export class CapacityFrames {
  readonly #stream: Pick<EventStream, 'write'>;
  /** Id of the last event; null before the first: nothing is shown before the calls are. */
  #id: string | null;
  #latest: { capacity: MonitorCapacity; at: number } | null = null;
  #isDue = false;

  constructor(stream: Pick<EventStream, 'write'>, id: string | null) {
    this.#stream = stream;
    this.#id = id;
  }

  /** An event with this id has gone before. */
  passed(id: string): void {
    this.#id = id;
    if (this.#isDue) this.#write();
  }

  take(event: CapacityEvent): void {
    if (event.kind === 'resync') return;
    this.#latest = { capacity: event.kind === 'snapshot' ? event.state : event.change, at: event.at };
    this.#write();
  }

  /** The client may have missed it. */
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
