import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OpenLink } from '../../form/noun-page.tsx';
import { useStream } from '../../live/use-stream.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatAge, formatDateTime } from '../../text/format.ts';
import { fullTime } from '../../text/zone.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { Acknowledge } from './acknowledge.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters, matches, useEventFilter } from './event-filters.tsx';
import { aboutOf, useEventWords } from './event-words.ts';
import {
  type EventRowFragment,
  type EventRunFragment,
  EventRunsDocument,
  EventsToldDocument,
  type EventsToldSubscription,
} from './events.generated.ts';
import styles from './events.module.css';
import { Level } from './level.tsx';

const PAGE_ROWS = 100;
const AGES_MS = 10_000;

/** The events of the installation, equal ones in a row on one line; new ones wait behind a pill, so that no row moves while the user reads. */
export function EventsPage() {
  const { t } = useTranslation();
  const { filter, isNarrowed } = useEventFilter();
  const { data, previousData, loading, error, fetchMore, refetch } = useQuery(EventRunsDocument, {
    variables: { first: PAGE_ROWS, filter },
  });
  const { rows: read, total, loadMore } = useSlice<EventRunFragment>((data ?? previousData)?.runtimeEventRuns, fetchMore);
  const newEvents = useNewEvents();
  // Another user may have acknowledged one meanwhile.
  const rows = read.map(run => ({ ...run, newest: newEvents.get(run.newest.id) ?? run.newest }));
  const newest = Number(rows[0]?.newest.databaseId ?? 0);
  const fresh = data ? [...newEvents.values()].filter(event => Number(event.databaseId) > newest && matches(event, filter)) : [];
  const columns = useColumns();
  return (
    <>
      <FilterBar count={total === null ? null : t('events.count', { count: total })}>
        <EventFilters />
      </FilterBar>
      {error && <Notice error={error} />}
      <div className={styles.pill} aria-live="polite">
        {fresh.length > 0 && (
          <Button size="compact-sm" radius="xl" onClick={() => void refetch()}>
            {t('events.fresh', { count: fresh.length })}
          </Button>
        )}
      </div>
      <DataTable
        label={t('pages.events')}
        columns={columns}
        rows={rows}
        keyOf={({ firstId }) => firstId}
        empty={isNarrowed ? <NoneFound>{t('events.noneFound')}</NoneFound> : t('wall.noAlerts')}
        isLoading={loading}
        loadMore={loadMore}
      />
      <EventDrawer runs={rows} filter={filter} />
    </>
  );
}

function useColumns(): Column<EventRunFragment>[] {
  const { t } = useTranslation();
  const words = useEventWords();
  return [
    { key: 'level', header: t('events.level'), width: '140px', cell: ({ newest }) => <Level level={newest.level} /> },
    { key: 'at', header: t('events.at'), width: '130px', cell: ({ lastAt }) => <Age at={lastAt} /> },
    {
      key: 'title',
      header: t('events.what'),
      cell: run => (
        <>
          <OpenLink id={run.newest.databaseId}>{words(run.newest)}</OpenLink>
          <Repeated run={run} />
        </>
      ),
    },
    { key: 'about', header: t('events.about'), cell: ({ newest }) => aboutOf(newest) },
    { key: 'seen', header: t('events.acknowledged'), width: '150px', cell: ({ newest }) => <Acknowledge event={newest} isShort /> },
  ];
}

/** How often the event happened in a row, and since when; nothing for a single one. */
function Repeated({ run: { count, firstAt } }: { run: EventRunFragment }) {
  const { t } = useTranslation();
  return count > 1 && <span className="quiet"> {t('events.repeated', { count, at: formatDateTime(firstAt) })}</span>;
}

function Age({ at }: { at: string }) {
  const now = useNow(AGES_MS);
  return (
    <span className="quiet" title={fullTime(at)}>
      {formatAge(at, now)}
    </span>
  );
}

type EventsById = ReadonlyMap<string, EventRowFragment>;

/** Most events held in memory; the oldest are dropped. */
const MOST_HELD = 500;
const NONE: EventsById = new Map();

/** Events received since the page was opened, each in its newest state, by id. */
function useNewEvents(): EventsById {
  return useStream(EventsToldDocument, { variables: {}, initial: NONE, reduce: withEvents }).state;
}

function withEvents(held: EventsById, { runtimeEvents: event }: EventsToldSubscription): EventsById {
  const events = 'events' in event ? event.events : 'event' in event ? [event.event] : [];
  if (events.length === 0) return held;
  const all = new Map(held);
  for (const event of events) all.set(event.id, event);
  return all.size <= MOST_HELD ? all : new Map([...all].slice(-MOST_HELD));
}
