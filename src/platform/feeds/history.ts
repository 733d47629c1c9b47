/** A change as it was published. */
export interface Published<Change> {
  kind: 'change';
  change: Change;
  /** UTC ms. */
  at: number;
  /** Position to resume from: a client that reconnects with it misses nothing. */
  cursor: string;
}

/** Recent changes, kept for replay to reconnecting clients. */
export interface History<Change> {
  /** Cursor of the newest change. */
  readonly cursor: string;
  put(change: Change, at: number): Published<Change>;
  /** Drops everything held so far; later changes get cursors that no earlier one can equal. */
  forget(): void;
  /** Changes after the cursor; null when the cursor is no longer held or is unknown. */
  after(cursor: string): readonly Published<Change>[] | null;
}

/** Ring buffer of the newest `limit` changes; a cursor is an epoch and a position, and cursors of another epoch are not held. */
export class RingHistory<Change> implements History<Change> {
  readonly #epoch: string;
  readonly #limit: number;
  readonly #changes: (Published<Change> | undefined)[];
  #last = 0;
  /** Every change after this position is held. */
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

/** Cursor of the preceding change in a `RingHistory`. */
export function cursorBefore(cursor: string): string {
  const [epoch, position] = partsOf(cursor);
  return cursorOf(epoch, Math.max(0, position - 1));
}

function cursorOf(epoch: string, position: number): string {
  return `${epoch}.${position.toString(36)}`;
}

/** Splits a cursor; position −1, which is never held, marks an invalid one. */
function partsOf(cursor: string): [epoch: string, position: number] {
  const [epoch = '', position = ''] = cursor.split('.');
  return [epoch, /^[0-9a-z]{1,10}$/.test(position) ? Number.parseInt(position, 36) : -1];
}
