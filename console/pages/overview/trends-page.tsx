import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Standing } from './standing.tsx';
import { TrendChart } from './trend-chart.tsx';
import { TrendTable } from './trend-table.tsx';
import styles from './trends.module.css';
import { SpanFilter, useTrend } from './use-trend.tsx';

/** Calls and results over the last days or hours, of all campaigns or one, and the current totals. */
export function TrendsPage() {
  const { t } = useTranslation();
  const trend = useTrend();
  return (
    <div className={styles.stack}>
      <FilterBar>
        <SpanFilter />
        <CampaignFilter w={280} placeholder={t('trends.everyCampaign')} />
      </FilterBar>
      {trend.error && <Notice error={trend.error} />}
      <section className={`sheet ${styles.sheet}`} aria-label={t('pages.trends')} aria-busy={trend.isLoading}>
        <TrendChart points={trend.points} unit={trend.unit} />
        <TrendTable trend={trend} />
      </section>
      <Text className="quiet" size="sm">
        {t('trends.standing')}
      </Text>
      <Standing />
    </div>
  );
}
