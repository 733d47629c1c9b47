import { useQuery } from '@apollo/client/react';
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { businessZone } from '../../text/business-zone.ts';
import { instantIn } from '../../text/local-time.ts';
import { formatBeginning } from '../../text/zone.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { TrendDaysDocument, TrendHoursDocument } from './trends.generated.ts';
import styles from './trends.module.css';

/** Options of the span, and how many days or hours each has. */
const SPANS = { '24h': 24, '72h': 72, '7d': 7, '14d': 14, '30d': 30, '90d': 90 } as const;
type Span = keyof typeof SPANS;
const USUAL: Span = '14d';
/** Refresh interval in ms, because the newest point is still growing. */
const LOOK_MS = 30_000;

export interface Point {
  /** Beginning in seconds since 1970, and its label. */
  at: number;
  label: string;
  attempts: number;
  answered: number;
  completed: number;
  failed: number;
  averageDurationSeconds: number;
}

export interface Trend {
  unit: 'day' | 'hour';
  span: Span;
  /** Oldest first; the last point is still growing. */
  points: readonly Point[];
  isLoading: boolean;
  error: Error | undefined;
}

function useSpan(): [Span, (span: string) => void] {
  const [span, setSpan] = useQueryState('span');
  return [span in SPANS ? (span as Span) : USUAL, value => setSpan(value === USUAL ? '' : value)];
}

/** The trend that the URL selects. */
export function useTrend(): Trend {
  const [span] = useSpan();
  const [campaign] = useQueryState('campaign');
  const unit = span.endsWith('h') ? 'hour' : 'day';
  const campaignId = campaign || null;
  const days = useQuery(TrendDaysDocument, { variables: { days: SPANS[span], campaignId }, skip: unit !== 'day', pollInterval: LOOK_MS });
  const hours = useQuery(TrendHoursDocument, {
    variables: { hours: SPANS[span], campaignId },
    skip: unit !== 'hour',
    pollInterval: LOOK_MS,
  });
  const { loading, error } = unit === 'day' ? days : hours;
  const points =
    unit === 'day'
      ? (days.data?.trend ?? []).map(({ date, ...counts }) => ({
          at: (instantIn(businessZone(), `${date}T00:00`) ?? 0) / 1000,
          label: date,
          ...counts,
        }))
      : (hours.data?.trendHours ?? []).map(({ at, ...counts }) => ({
          ...counts,
          at: Date.parse(at) / 1000,
          label: formatBeginning(at, 'hour', true),
        }));
  return { unit, span, points, isLoading: loading, error };
}

export function SpanFilter() {
  const { t } = useTranslation();
  const [span, setSpan] = useSpan();
  return (
    <SegmentedControl
      className={styles.span ?? ''}
      aria-label={t('trends.span')}
      value={span}
      onChange={setSpan}
      data={Object.entries(SPANS).map(([value, count]) => ({
        value,
        label: t(value.endsWith('h') ? 'trends.hours' : 'trends.days', { count }),
      }))}
    />
  );
}
