import { type Column, sizeOf } from './column.ts';
import type { ColumnName } from './columns.ts';

/** Columns of an hour as they were in one state of it. */
interface CachedHour {
  stamp: string;
  rows: number;
  columns: Map<ColumnName, Column>;
}

/**
 * Columns that questions have read, up to a number of bytes; hours that were used least recently leave first.
 *
 * Why: an hour's stamp is new whenever one of its calls has changed, so what is kept is never out of date
 */
export class BlockCache {
  readonly #maxBytes: number;
  readonly #hours = new Map<number, CachedHour>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The hour in this state; null when another state, or none, is kept. */
  find(hour: number, stamp: string): CachedHour | null {
    const known = this.#hours.get(hour);
    if (known?.stamp !== stamp) return null;
    this.#hours.delete(hour);
    this.#hours.set(hour, known);
    return known;
  }

  /** Keeps columns beside those that are known of the same state. */
  add(hour: number, { stamp, rows, columns }: CachedHour): void {
    const known = this.find(hour, stamp);
    const merged = new Map([...(known?.columns ?? []), ...columns]);
    this.#drop(hour);
    this.#hours.set(hour, { stamp, rows, columns: merged });
    this.#bytes += bytesOf(merged);
    while (this.#bytes > this.#maxBytes) this.#drop(this.#hours.keys().next().value ?? hour);
  }

  #drop(hour: number): void {
    const known = this.#hours.get(hour);
    if (known === undefined) return;
    this.#bytes -= bytesOf(known.columns);
    this.#hours.delete(hour);
  }
}

function bytesOf(columns: ReadonlyMap<ColumnName, Column>): number {
  return [...columns.values()].reduce((sum, column) => sum + sizeOf(column), 0);
}
