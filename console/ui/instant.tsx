import { formatDateTime, formatTime } from '../text/format.ts';
import { ownTime } from '../text/zone.ts';

interface InstantProps {
  at: string | number;
  /** The time of day alone, where the day is clear. */
  isOfDay?: boolean;
}

/** An instant in the business time zone; the pointer shows it on the reader's own clock where that differs. */
export function Instant({ at, isOfDay = false }: InstantProps) {
  return (
    <time dateTime={new Date(at).toISOString()} title={ownTime(at)}>
      {isOfDay ? formatTime(at) : formatDateTime(at)}
    </time>
  );
}
