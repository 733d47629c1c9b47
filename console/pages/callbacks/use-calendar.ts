import { useStream } from '../../live/use-stream.ts';
import {
  CallbackCalendarDocument,
  type CallbackCalendarSubscription,
  type CallbackCalendarSubscriptionVariables,
  type CallbackRowFragment,
} from './callbacks.generated.ts';

export interface Calendar {
  /** Those that are due first, the earliest first. */
  callbacks: readonly CallbackRowFragment[];
  /** How many the filter finds; null until they are counted. */
  total: number | null;
}

const NONE: Calendar = { callbacks: [], total: null };

/** Follows the callbacks of a filter; the old ones stay until those of another filter arrive. */
export function useCalendar(
  filter: CallbackCalendarSubscriptionVariables['filter'],
  first: number,
): Calendar & { isLoading: boolean; error: Error | null } {
  const { state, isThere, error } = useStream(CallbackCalendarDocument, {
    variables: { filter, first },
    initial: NONE,
    reduce: withCalendar,
  });
  return { ...state, isLoading: !isThere && error === null, error };
}

function withCalendar(before: Calendar, { callbacks: event }: CallbackCalendarSubscription): Calendar {
  return 'callbacks' in event ? { callbacks: event.callbacks, total: event.totalCount } : before;
}
