import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Publisher, Source } from './feed.ts';
import { keepReading, type Reading } from './reading.ts';

/** A state that is always read as a whole. */
export interface PolledState<State, Change> extends Pick<Reading<State>, 'what' | 'listen' | 'pollMs' | 'spacingMs'> {
  /** Null when the state has been deleted; the source then ends. */
  read(): Promise<State | null>;
  /** Changes that lead from `before` to `after`, in order; empty when they are equal. */
  changes(before: State, after: State): readonly Change[];
  /** Whether no change can follow this state; it is published before the end. */
  isLast?(state: State): boolean;
}

/** Derives changes from a state that can only be read as a whole. */
export function polledSource<State, Change>(deps: { clock: Clock; log: Log }, polled: PolledState<State, Change>): Source<State, Change> {
  let state: State | null = null;
  const take = (next: State | null, publisher: Publisher<Change>) => {
    const before = state;
    state = next;
    if (next === null) publisher.ended();
    else if (before === null) publisher.began();
    else for (const change of polled.changes(before, next)) publisher.changed(change);
    if (next !== null && polled.isLast?.(next)) publisher.ended();
  };
  return {
    current: () => state,
    start(publisher) {
      const reading = keepReading(deps, {
        ...polled,
        take: next => take(next, publisher),
        failed() {
          state = null;
          publisher.lost('SOURCE_UNAVAILABLE');
        },
      });
      return () => reading.stop();
    },
  };
}

/** Implements `changes` for states whose change carries the whole state. */
export function wholeWhenOther<State>(before: State, after: State): readonly State[] {
  return isSame(before, after) ? [] : [after];
}

export function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
