import { useTranslation } from 'react-i18next';
import { useStream } from '../../live/use-stream.ts';
import { formatAge } from '../../text/format.ts';
import { fullTime } from '../../text/zone.ts';
import { useServerWords } from '../../text/server-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { WallHealthDocument, type WallHealthSubscription, type WallPartFragment } from './wall.generated.ts';
import styles from './wall.module.css';

const AGES_MS = 10_000;

/** State of the server's dependencies. */
export function useHealth(): readonly WallPartFragment[] {
  return useStream(WallHealthDocument, { variables: {}, initial: [], reduce: latestParts }).state;
}

/** The faults of dependencies with their start and their effect on calls; empty while all is well. */
export function Faults({ parts }: { parts: readonly WallPartFragment[] }) {
  const faulty = parts.filter(({ level }) => level !== 'GREEN');
  return (
    <div className={styles.health}>
      {faulty.map(part => (
        <Fault key={part.part} part={part} />
      ))}
    </div>
  );
}

/** Every dependency with its state. */
export function Health({ parts }: { parts: readonly WallPartFragment[] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet} ${styles.engines}`} aria-label={t('wall.health')}>
      <ul className={styles.parts}>
        {parts.map(part => (
          <li key={part.part}>
            <span className={`${styles.dot} ${styles[part.level]}`} aria-hidden /> {t(`healthPart.${part.part}`)}
            {part.total !== null && ` ${part.working}/${part.total}`} <span className="quiet">{t(`healthLevel.${part.level}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fault({ part: { level, state, message, since } }: { part: WallPartFragment }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const now = useNow(AGES_MS);
  return (
    // A fault that stops dialling interrupts a screen reader; one that only reduces it waits.
    <p role={level === 'RED' ? 'alert' : 'status'} className={`${styles.fault} ${level === 'RED' ? 'tone-failed' : 'tone-waiting'}`}>
      {words(`healthState.${state}`, message)}{' '}
      <span className="quiet" title={fullTime(since)}>
        {t('wall.since', { age: formatAge(since, now) })}
      </span>
    </p>
  );
}

/** A resync is followed by a snapshot. */
function latestParts(before: readonly WallPartFragment[], { health }: WallHealthSubscription): readonly WallPartFragment[] {
  return 'parts' in health ? health.parts : before;
}
