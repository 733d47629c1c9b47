import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import type { ProgressFragment } from '../../parts/progress.generated.ts';
import { formatCount, formatShare } from '../../text/format.ts';
import styles from './campaign.module.css';

const SHOWN = ['pending', 'submitted', 'completed', 'failed', 'awaitingRetry', 'held', 'paused', 'total'] as const;
const TONES: Partial<Record<(typeof SHOWN)[number], string>> = { completed: 'tone-answered', failed: 'tone-failed', held: 'tone-waiting' };

/** Contacts by what became of them. */
export function Numbers(progress: ProgressFragment) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('campaign.progress')} · {formatShare(progress.fraction, 1)}
      </Title>
      <ProgressBar {...progress} />
      <div className={styles.numbers}>
        {SHOWN.map(name => (
          <span key={name} className={styles.number}>
            <b className={progress[name] > 0 ? TONES[name] : undefined}>{formatCount(progress[name])}</b>
            <span className="quiet">{t(`campaign.${name}`)}</span>
          </span>
        ))}
      </div>
    </section>
  );
}
