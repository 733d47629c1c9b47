import { useQuery } from '@apollo/client/react';
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, FilterBar } from '../../table/filters.tsx';
import { businessZone } from '../../text/business-zone.ts';
import { addDays, instantsOf, isDay, today, weekOf } from '../../text/date-range.ts';
import { formatCount, formatTypedDay } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { CallbackCalendar } from './callback-calendar.tsx';
import { CallbackDrawer } from './callback-drawer.tsx';
import { CallbackList } from './callback-list.tsx';
import { CallbackAgentsDocument } from './callbacks.generated.ts';
import { useCalendar } from './use-calendar.ts';

const PAGE_ROWS = 200;
/** Most callbacks that the server tells of at once. */
const MOST_ROWS = 1_000;
const VIEWS = ['week', 'day', 'list'] as const;
type View = (typeof VIEWS)[number];
/** Ranges that the list offers: people look ahead for callbacks more often than back. */
const RANGES = { usual: 'thisWeek', presets: ['today', 'tomorrow', 'thisWeek', 'ahead', 'week', 'all'] } as const;
const STATUSES = ['PROMISED', 'KEPT', 'GIVEN_UP', 'CANCELLED'] as const;

/** Callbacks that customers were promised, as a week, a day or a list, each as it changes. A narrow window has room for the list alone. */
export function CallbacksPage() {
  const [open, setOpen] = useQueryState('open');
  const { days, show, view } = usePeriod();
  const [first, setFirst] = useState(PAGE_ROWS);
  const { callbacks, total, isLoading, error } = useCalendar(useFilter(view === 'list' ? null : days), first);
  const hasMore = total !== null && total > callbacks.length && first < MOST_ROWS;
  const loadMore = hasMore ? () => setFirst(callbacks.length + PAGE_ROWS) : undefined;
  const showDay = (day: string) => show({ view: 'day', day });
  return (
    <>
      <Filters total={total} shown={callbacks.length} loadMore={view === 'list' ? undefined : loadMore} />
      <Period days={days} view={view} show={show} />
      {error && <Notice error={error} again={null} />}
      {view === 'list' ? (
        <CallbackList callbacks={callbacks} open={setOpen} isLoading={isLoading} loadMore={loadMore} />
      ) : (
        <CallbackCalendar days={days} callbacks={callbacks} isLoading={isLoading} open={setOpen} showDay={showDay} />
      )}
      <CallbackDrawer id={open || null} callback={callbacks.find(({ databaseId }) => databaseId === open)} close={() => setOpen('')} />
    </>
  );
}

/** The days that are shown, and how; kept in the URL. */
function usePeriod() {
  const [query, setQuery] = useSearchParams();
  const isNarrow = useIsNarrow();
  const asked = query.get('day') ?? '';
  const day = isDay(asked) ? asked : today();
  const view = isNarrow ? 'list' : (VIEWS.find(name => name === query.get('view')) ?? 'week');
  const show = (next: { view?: View; day?: string }) => {
    const after = new URLSearchParams(query);
    for (const [name, value] of Object.entries(next)) after.set(name, value);
    setQuery(after, { replace: true });
  };
  return { view, show, days: view === 'day' ? [day] : weekOf(day) };
}

/** `days` null: the range of the list. */
function useFilter(days: readonly string[] | null) {
  const [query] = useSearchParams();
  const range = useDateRange(RANGES);
  return {
    campaignId: query.get('campaign'),
    agentId: query.get('agent'),
    status: STATUSES.find(status => status === query.get('status')) ?? null,
    ...(days ? instantsOf({ from: days[0] ?? '', to: days.at(-1) ?? '' }, businessZone()) : range),
  };
}

function Filters({ total, shown, loadMore }: { total: number | null; shown: number; loadMore: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery(CallbackAgentsDocument);
  const count = total === null ? null : t('callbacks.count', { count: total });
  const isCut = total !== null && total > MOST_ROWS && shown >= MOST_ROWS;
  return (
    <FilterBar
      count={isCut ? t('callbacks.most', { count: total, shown: formatCount(shown) }) : count}
      acts={
        loadMore && (
          <Button variant="default" onClick={loadMore}>
            {t('callbacks.loadMore', { shown })}
          </Button>
        )
      }
    >
      <CampaignFilter />
      <ChoiceFilter
        name="agent"
        label={t('calls.agent')}
        choices={(data?.agents ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
      />
      <ChoiceFilter
        name="status"
        label={t('contacts.status')}
        choices={STATUSES.map(value => ({ value, label: t(`callbackStatus.${value}`) }))}
      />
    </FilterBar>
  );
}

interface PeriodProps {
  days: readonly string[];
  view: View;
  show: (next: { view?: View; day?: string }) => void;
}

function Period({ days, view, show }: PeriodProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  return (
    <Group mb="sm" gap="xs" justify="space-between">
      {view === 'list' ? <DateRange {...RANGES} /> : <Turning days={days} show={show} />}
      {!isNarrow && (
        <SegmentedControl
          aria-label={t('callbacks.view')}
          value={view}
          onChange={value => show({ view: VIEWS.find(name => name === value) ?? 'week' })}
          data={VIEWS.map(value => ({ value, label: t(`callbacks.views.${value}`) }))}
        />
      )}
    </Group>
  );
}

/** Turns the pages of the calendar. */
function Turning({ days, show }: Omit<PeriodProps, 'view'>) {
  const { t } = useTranslation();
  const [first = ''] = days;
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => show({ day: addDays(first, -days.length) })}>
        {t('callbacks.earlier')}
      </Button>
      <Button variant="default" onClick={() => show({ day: today() })}>
        {t('dialingCalendar.today')}
      </Button>
      <Button variant="default" onClick={() => show({ day: addDays(first, days.length) })}>
        {t('callbacks.later')}
      </Button>
      <span aria-live="polite">
        {days.length === 1
          ? formatTypedDay(first)
          : t('callbacks.span', { from: formatTypedDay(first), to: formatTypedDay(days.at(-1) ?? '') })}
      </span>
    </Group>
  );
}
