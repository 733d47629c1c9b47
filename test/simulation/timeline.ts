import { setImmediate } from 'node:timers';
import type { Cancel } from '#kernel/clock.ts';

interface Entry {
  at: number;
  order: number;
  task: (() => void) | null;
}

/** Events run in one turn of Node's loop, each with all its continuations before the next. */
const EVENTS_PER_TURN = 256;

/**
 * Virtual time: runs events in order of their times, and those of the same time in order of their creation.
 *
 * Why:    between two callbacks of setImmediate Node runs all pending continuations, so time advances only when no promise is pending;
 *         a run has no real timers and no I/O, so the same seed gives the same run
 * Units:  ms
 */
export class Timeline {
  #now: number;
  #made = 0;
  #ran = 0;
  readonly #heap: Entry[] = [];

  constructor(startAt: number) {
    this.#now = startAt;
  }

  now = (): number => this.#now;

  /** Number of events that have run. */
  get events(): number {
    return this.#ran;
  }

  after(delayMs: number, task: () => void): Cancel {
    const entry: Entry = { at: this.#now + Math.max(0, delayMs), order: this.#made++, task };
    push(this.#heap, entry);
    return () => {
      entry.task = null;
    };
  }

  /** Runs events until `isOver` returns true before one of them, or none is left. Rejects with the error of an event. */
  run(isOver: (nextAt: number) => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let ended = false;
    const one = () => {
      if (ended) return;
      try {
        ended = !this.#step(isOver);
        if (ended) resolve();
      } catch (error) {
        ended = true;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const turn = () => {
      if (ended) return;
      for (let index = 0; index < EVENTS_PER_TURN; index++) setImmediate(one);
      setImmediate(turn);
    };
    turn();
    return promise;
  }

  #step(isOver: (nextAt: number) => boolean): boolean {
    for (let top = this.#heap[0]; top !== undefined && top.task === null; top = this.#heap[0]) pop(this.#heap);
    const next = this.#heap[0];
    if (next === undefined || isOver(next.at)) return false;
    pop(this.#heap);
    this.#now = next.at;
    this.#ran += 1;
    next.task?.();
    return true;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || isBefore(parent, entry)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let childIndex = index * 2 + 1;
    let child = heap[childIndex];
    if (child === undefined) break;
    const right = heap[childIndex + 1];
    if (right !== undefined && isBefore(right, child)) [child, childIndex] = [right, childIndex + 1];
    if (isBefore(last, child)) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = last;
}
