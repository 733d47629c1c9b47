/** A change as it was published. */
export interface Published<Change> {
  kind: 'change';
  change: Change;
  /** UTC ms. */
  at: number;
  /** A subscriber that has gone comes back with it and misses nothing. */
  cursor: string;
}

/** Changes that can be published again to who comes back. */
export interface History<Change> {
  /** Of the newest change. */
  readonly cursor: string;
  put(change: Change, at: number): Published<Change>;
  /** Nothing before now can be replayed any more, and what is published from now on has new cursors. */
  forget(): void;
  /** What came after the cursor; null when that is not held any more or never was. */
  after(cursor: string): readonly Published<Change>[] | null;
}

/** The newest `limit` changes, by an epoch and a position. Cursors of another epoch are not held. */
export class RingHistory<Change> implements History<Change> {
  readonly #epoch: string;
  readonly #limit: number;
  readonly #changes: (Published<Change> | undefined)[];
  #last = 0;
  /** Everything after this position is held. */
  #from = 0;

  constructor(epoch: string, limit: number) {
    this.#epoch = epoch;
    this.#limit = limit;
    this.#changes = Array.from({ length: limit });
  }

  get cursor(): string {
    return cursorOf(this.#epoch, this.#last);
  }

  put(change: Change, at: number): Published<Change> {
    this.#last += 1;
    this.#from = Math.max(this.#from, this.#last - this.#limit);
    const published = { kind: 'change' as const, change, at, cursor: this.cursor };
    this.#changes[this.#last % this.#limit] = published;
    return published;
  }

  forget(): void {
    this.#last += 1;
    this.#from = this.#last;
    this.#changes.fill(undefined);
  }

  after(cursor: string): readonly Published<Change>[] | null {
    const [epoch, position] = partsOf(cursor);
    if (epoch !== this.#epoch || position < this.#from || position > this.#last) return null;
    const places = Array.from({ length: this.#last - position }, (_, index) => (position + 1 + index) % this.#limit);
    return places.flatMap(place => this.#changes[place] ?? []);
  }
}

/** The cursor of the change before, in a `RingHistory`. */
export function cursorBefore(cursor: string): string {
  const [epoch, position] = partsOf(cursor);
  return cursorOf(epoch, Math.max(0, position - 1));
}

function cursorOf(epoch: string, position: number): string {
  return `${epoch}.${position.toString(36)}`;
}

/** Position −1, which is never held: it is no cursor. */
function partsOf(cursor: string): [epoch: string, position: number] {
  const [epoch = '', position = ''] = cursor.split('.');
  return [epoch, /^[0-9a-z]{1,10}$/.test(position) ? Number.parseInt(position, 36) : -1];
}
