import { Tooltip } from '@mantine/core';
import { IconAntennaBars3, IconAntennaBars5 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDecimal, formatShare } from '../text/format.ts';
import styles from './phone.module.css';
import type { Quality } from './quality.ts';

/** Quality of what the agent hears, with the figures it is estimated from. */
export function QualityPart({ quality, isRestored }: { quality: Quality | null; isRestored: boolean }) {
  const { t } = useTranslation();
  if (isRestored) {
    return (
      <span className="tone-waiting" role="status">
        {t('phone.restoring')}
      </span>
    );
  }
  if (!quality) return null;
  const figures = t('phone.quality.figures', {
    mos: formatDecimal(quality.mos),
    loss: formatShare(quality.loss, 1),
    jitter: Math.round(quality.jitterMs),
    roundTrip: quality.roundTripMs === null ? '–' : Math.round(quality.roundTripMs),
  });
  return (
    <Tooltip label={t('phone.quality.about')} multiline maw={320}>
      <span className={quality.isPoor ? 'tone-waiting' : 'quiet'} role={quality.isPoor ? 'alert' : undefined}>
        <span className={styles.quality}>
          {quality.isPoor ? <IconAntennaBars3 size={16} aria-hidden /> : <IconAntennaBars5 size={16} aria-hidden />}
          {t(quality.isPoor ? 'phone.quality.poor' : 'phone.quality.good')}
          <span className={styles.figures}>{figures}</span>
        </span>
      </span>
    </Tooltip>
  );
}
