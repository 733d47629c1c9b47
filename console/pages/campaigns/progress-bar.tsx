import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { givenUp, type Progress } from './progress.ts';
import styles from './progress-bar.module.css';

/** Contacts of a campaign by outcome: reached, in a call, to be retried, given up; the rest is pending. */
export function ProgressBar(progress: Pick<Progress, 'total' | 'completed' | 'failed' | 'submitted' | 'awaitingRetry'>) {
  const { t } = useTranslation();
  const { total, completed, submitted, awaitingRetry } = progress;
  const failed = givenUp(progress);
  const parts = { completed, submitted, awaitingRetry, failed };
  const counts = Object.fromEntries(Object.entries({ ...parts, total }).map(([name, count]) => [name, formatCount(count)]));
  const label = t('progressBar.label', counts);
  return (
    <div className={styles.track} role="img" aria-label={label} title={label}>
      {Object.entries(parts).map(([name, count]) => (
        <div key={name} className={styles[name]} style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }} />
      ))}
    </div>
  );
}

/** Colour of a part of the bar; none for pending contacts. */
export function Swatch({ of }: { of: string }) {
  return styles[of] ? <i className={`${styles.swatch} ${styles[of]}`} aria-hidden /> : null;
}
