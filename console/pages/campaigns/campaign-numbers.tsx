import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CampaignStatus } from './phase.tsx';
import { givenUp, leftOut, shareOf } from './progress.ts';
import { ProgressBar, Swatch } from './progress-bar.tsx';
import type { ProgressFragment } from './progress.generated.ts';
import { formatCount, formatShare } from '../../text/format.ts';
import styles from './campaign.module.css';

/** Each contact counts in one of them; the last is their sum. */
const SHOWN = ['pending', 'submitted', 'completed', 'awaitingRetry', 'failed', 'paused', 'total'] as const;
const TONES: Partial<Record<(typeof SHOWN)[number], string>> = {
  completed: 'tone-answered',
  awaitingRetry: 'tone-waiting',
  failed: 'tone-failed',
};

/** Contacts by outcome; the swatches of the numbers are the legend of the bar. */
export function Numbers({ status, progress }: { status: CampaignStatus; progress: ProgressFragment }) {
  const { t } = useTranslation();
  const counts = { ...progress, failed: givenUp(progress) };
  const left = leftOut(status, progress);
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('campaign.progress')}>
      <Title order={2} mb="sm">
        {t('campaign.progress')} · {formatShare(shareOf(status, progress), 1)}
        {left > 0 && ` · ${t('campaign.leftOut', { count: left, shown: formatCount(left) })}`}
      </Title>
      <ProgressBar {...progress} />
      <dl className={styles.numbers}>
        {SHOWN.map(name => (
          <div key={name} className={styles.number}>
            <dt className="quiet">
              <Swatch of={name} />
              {t(`campaign.${name}`)}
            </dt>
            <dd className={counts[name] > 0 ? TONES[name] : undefined}>{formatCount(counts[name])}</dd>
          </div>
        ))}
      </dl>
      {progress.held > 0 && (
        <Text className="quiet" size="sm">
          {t('campaign.heldOf', { count: progress.held, shown: formatCount(progress.held) })}
        </Text>
      )}
    </section>
  );
}
