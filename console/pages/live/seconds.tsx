import { useTranslation } from 'react-i18next';
import type { WatchedCall } from '../../live/call-changes.ts';
import { formatSeconds } from '../../text/format.ts';
import { useNow } from '../../ui/use-now.ts';
import styles from './live.module.css';

/** Radius of the ring in its own units; one turn is a minute. */
const RADIUS = 19;
const ROUND = 2 * Math.PI * RADIUS;
const SECONDS_OF_ROUND = 60;

type Instants = Pick<WatchedCall, 'startedAt' | 'answeredAt' | 'endedAt' | 'status'>;

/** Seconds of talk, or seconds since the dial before the answer; they stop when the call has ended. */
export function useCallSeconds({ startedAt, answeredAt, endedAt }: Instants): number {
  const now = useNow();
  return Math.max(0, ((endedAt ? Date.parse(endedAt) : now) - Date.parse(answeredAt ?? startedAt)) / 1000);
}

/** A ring that fills once a minute, with the time inside. */
export function SecondsRing({ call }: { call: Instants }) {
  const { t } = useTranslation();
  const seconds = useCallSeconds(call);
  const tone = call.endedAt ? styles.ringOver : call.answeredAt ? styles.ringLive : styles.ringBefore;
  const text = formatSeconds(seconds);
  return (
    <svg className={styles.ring} viewBox="0 0 44 44" role="img" aria-label={t('live.seconds', { time: text })}>
      <circle cx={22} cy={22} r={RADIUS} className={styles.ringTrack} />
      <circle
        cx={22}
        cy={22}
        r={RADIUS}
        className={tone}
        strokeDasharray={`${((seconds % SECONDS_OF_ROUND) / SECONDS_OF_ROUND) * ROUND} ${ROUND}`}
        transform="rotate(-90 22 22)"
      />
      <text x={22} y={26} textAnchor="middle">
        {text}
      </text>
    </svg>
  );
}

/** Seconds without a ring, for a row. */
export function Seconds({ call }: { call: Instants }) {
  return <>{formatSeconds(useCallSeconds(call))}</>;
}

/** How long the call has waited for an agent. */
export function Waiting({ since }: { since: string }) {
  const { t } = useTranslation();
  const now = useNow();
  return <span className="tone-waiting">{t('live.waits', { for: formatSeconds((now - Date.parse(since)) / 1000) })}</span>;
}
