/**
 * A feed's events as a stream that one client draws from at its own speed.
 *
 * Why:    what a slow client has not drawn is bounded: beyond it everything waiting is dropped, and `catchUp` says where to begin again
 * Source: A1.5, D10
 */
export class BoundedStream<Event> implements AsyncIterableIterator<Event, undefined, undefined> {
  readonly #limit: number;
  readonly #catchUp: () => readonly Event[];
  readonly #onEnd: () => void;
  #waiting: Event[] = [];
  /** The client draws and nothing is there. */
  #draw: ((result: IteratorResult<Event, undefined>) => void) | null = null;
  #isBehind = false;
  #isOver = false;

  /** `limit` events may wait; `catchUp` is asked at the moment when a client that fell behind draws again; `onEnd` runs once. */
  constructor(options: { limit: number; catchUp: () => readonly Event[]; onEnd: () => void }) {
    this.#limit = options.limit;
    this.#catchUp = options.catchUp;
    this.#onEnd = options.onEnd;
  }

  push(event: Event): void {
    if (this.#isOver || this.#isBehind) return;
    if (this.#draw) return this.#give(event);
    this.#waiting.push(event);
    if (this.#waiting.length <= this.#limit) return;
    this.#waiting = [];
    this.#isBehind = true;
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#waiting = [...this.#catchUp()];
    }
    const event = this.#waiting.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    return new Promise(resolve => {
      this.#draw = resolve;
    });
  }

  /** Ends the stream from either side. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#draw?.({ done: true, value: undefined });
    this.#draw = null;
    this.#onEnd();
  }

  return(): Promise<IteratorResult<Event, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #give(event: Event): void {
    const draw = this.#draw;
    this.#draw = null;
    draw?.({ done: false, value: event });
  }
}
