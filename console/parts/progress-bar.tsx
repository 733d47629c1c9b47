import { useTranslation } from 'react-i18next';
import { formatCount } from '../text/format.ts';
import styles from './progress-bar.module.css';

export interface Progress {
  total: number;
  completed: number;
  failed: number;
  submitted: number;
}

/** Contacts of a campaign by what became of them: reached, not reached, in a call; the rest is to come. */
export function ProgressBar({ total, completed, failed, submitted }: Progress) {
  const { t } = useTranslation();
  const width = (count: number) => ({ width: `${total === 0 ? 0 : (count / total) * 100}%` });
  const label = t('progressBar.label', { completed: formatCount(completed), failed: formatCount(failed), total: formatCount(total) });
  return (
    <div className={styles.track} role="img" aria-label={label} title={label}>
      <div className={styles.done} style={width(completed)} />
      <div className={styles.open} style={width(submitted)} />
      <div className={styles.failed} style={width(failed)} />
    </div>
  );
}
