import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Publisher, Source } from './feed.ts';
import { keepReading, type Reading } from './reading.ts';

/** A state that is read whole. */
export interface PolledState<State, Change> extends Pick<Reading<State>, 'what' | 'listen' | 'pollMs' | 'spacingMs'> {
  /** Null: it is gone, which is the last word. */
  read(): Promise<State | null>;
  /** What leads from one to the other, in order; nothing when they are the same. */
  changes(before: State, after: State): readonly Change[];
  /** Whether nothing can follow; its change is published before. */
  isLast?(state: State): boolean;
}

/** Publishes how a state changes that others only show whole. */
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

/** For `changes` of a state whose change is the whole. */
export function wholeWhenOther<State>(before: State, after: State): readonly State[] {
  return isSame(before, after) ? [] : [after];
}

export function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
