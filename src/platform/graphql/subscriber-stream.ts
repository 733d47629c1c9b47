import type { Membership, Sink } from '../feeds/fan-out.ts';
import type { SocketLink } from './socket-link.ts';

const AFTER_PAYLOAD = Buffer.from('}');

/** Joins the subscribers of an operation. */
export type Join = (sink: Sink<Buffer>) => Membership;

/**
 * One subscription of one client.
 *
 * Why: the payload is written to the socket as shared bytes; only the id is put in front of it
 */
export class SubscriberStream implements Sink<Buffer> {
  /** Id that the client chose for the operation. */
  readonly id: string;
  readonly #link: SocketLink;
  readonly #onEnd: (stream: SubscriberStream) => void;
  #beforePayload: Buffer | null = null;
  #membership: Membership | null = null;
  /** Messages were dropped; the socket reports when the client has read. */
  #isBehind = false;
  #isOver = false;

  /** `onEnd` is called when nothing can follow, not when the client leaves. */
  constructor(id: string, link: SocketLink, onEnd: (stream: SubscriberStream) => void) {
    this.id = id;
    this.#link = link;
    this.#onEnd = onEnd;
  }

  begin(join: Join): void {
    this.#beforePayload = Buffer.from(`{"id":${JSON.stringify(this.id)},"type":"next","payload":`);
    this.#membership = join(this);
    if (this.#isOver) this.#membership.leave();
  }

  leave(): void {
    this.#isOver = true;
    this.#membership?.leave();
  }

  end(): void {
    if (this.#isOver) return;
    this.leave();
    this.#onEnd(this);
  }

  put(payload: Buffer, isOwed: boolean): void {
    if (!this.#beforePayload || this.#isOver || (this.#isBehind && !isOwed)) return;
    if (this.#link.writeText([this.#beforePayload, payload, AFTER_PAYLOAD], isOwed) || this.#isBehind) return;
    this.#isBehind = true;
    this.#link.onceDrained(() => {
      this.#isBehind = false;
      if (!this.#isOver) this.#membership?.catchUp();
    });
  }
}
