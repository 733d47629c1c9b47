import type { Membership, Sink } from '#operations/feeds/fan-out.ts';
import type { SocketLink } from './socket-link.ts';

const AFTER_PAYLOAD = Buffer.from('}');
const DONE = { done: true, value: undefined } as const;

/**
 * One subscription of one client, as the protocol's library drives it: it begins with the first draw and ends with `return`.
 *
 * Why: messages do not pass through it. They are written to the socket as their bytes come, with only the id put in front
 */
export class SubscriberStream implements AsyncGenerator<never, undefined, undefined> {
  readonly #link: SocketLink;
  /** Null once begun: what it holds is that of whoever subscribed first, and this one's own may go. */
  #begin: ((sink: Sink<Buffer>) => Membership) | null;
  readonly #beforePayload: Buffer;
  #membership: Membership | null = null;
  /** Messages were left out; the socket tells when it reads again. */
  #isBehind = false;
  #isOver = false;
  #over: (() => void) | null = null;

  constructor({ id, link }: { id: string; link: SocketLink }, begin: (sink: Sink<Buffer>) => Membership) {
    this.#link = link;
    this.#begin = begin;
    this.#beforePayload = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** Resolves at the end. Not an async function: while it waits, one would keep what it began with. */
  next(): Promise<IteratorResult<never, undefined>> {
    this.#start();
    return this.#isOver ? Promise.resolve(DONE) : new Promise(resolve => (this.#over = () => resolve(DONE)));
  }

  #start(): void {
    const begin = this.#begin;
    this.#begin = null;
    if (begin) this.#membership = begin({ put: (payload, isOwed) => this.#put(payload, isOwed), end: () => this.#end() });
  }

  return(): Promise<IteratorResult<never, undefined>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<IteratorResult<never, undefined>> {
    this.#end();
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #put(payload: Buffer, isOwed: boolean): void {
    if (this.#isOver || (this.#isBehind && !isOwed)) return;
    if (this.#link.writeText([this.#beforePayload, payload, AFTER_PAYLOAD], isOwed) || this.#isBehind) return;
    this.#isBehind = true;
    this.#link.onceDrained(() => {
      this.#isBehind = false;
      if (!this.#isOver) this.#membership?.catchUp();
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#membership?.leave();
    this.#over?.();
  }
}
