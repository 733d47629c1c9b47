import type { Column } from './column.ts';
import type { ColumnName } from './columns.ts';

/** Columns of the hours since the sealed ones. */
export type TailHours = ReadonlyMap<number, { rows: number; columns: Map<ColumnName, Column> }>;

interface KeptTail {
  /** Beginning of the first hour, UTC ms. */
  from: number;
  names: readonly ColumnName[];
  /** Monotonic ms. */
  readAt: number;
  hours: TailHours;
}

/**
 * The calls of the last hours as they were read a moment ago, for the questions of one page.
 *
 * Why: calls that go on change all the time, so what is kept of them is out of date after each; columns that were read at different instants have
 *      different rows, so all are read again when one is missing
 */
export class TailCache {
  readonly #maxAgeMs: number;
  #kept: KeptTail | null = null;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Null when it was read too long ago, without one of the columns, or when more has been sealed since. */
  find(from: number, names: readonly ColumnName[], now: number): TailHours | null {
    const kept = this.#fresh(from, now);
    return kept !== null && names.every(name => kept.names.includes(name)) ? kept.hours : null;
  }

  /** The columns to read for a question: those of the questions before it, too. */
  namesToRead(from: number, names: readonly ColumnName[], now: number): ColumnName[] {
    return [...new Set([...names, ...(this.#fresh(from, now)?.names ?? [])])];
  }

  keep(kept: KeptTail): void {
    this.#kept = kept;
  }

  #fresh(from: number, now: number): KeptTail | null {
    const kept = this.#kept;
    return kept !== null && kept.from === from && now - kept.readAt < this.#maxAgeMs ? kept : null;
  }
}
