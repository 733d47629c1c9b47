import { useQuery } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../table/filters.tsx';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ConferencePanel } from './conference-panel.tsx';
import { ConferenceState } from './conference-state.tsx';
import { type ConferenceRowFragment, ConferencesDocument } from './conferences.generated.ts';

/** Refresh interval of the list, which has no stream, in ms. */
const LOOK_MS = 3_000;
const STATUSES = ['ROUTING', 'LIVE'] as const;

/** Conferences in which agents talk with customers now, and the supervisor's actions. */
export function ConferencesPage() {
  const { t } = useTranslation();
  const { data, error, loading } = useQuery(ConferencesDocument, { pollInterval: LOOK_MS });
  const [status] = useQueryState('status');
  const [open, setOpen] = useQueryState('id');
  const rows = (data?.conferences ?? []).filter(row => !status || row.status === status);
  const opened = data?.conferences?.find(({ databaseId }) => databaseId === open);
  return (
    <>
      {error && <Notice error={error} />}
      <FilterBar count={t('conferences.count', { count: rows.length })}>
        <ChoiceFilter
          name="status"
          label={t('conferenceColumn.status')}
          width={200}
          choices={STATUSES.map(value => ({ value, label: t(`conferenceStatus.${value}`) }))}
        />
      </FilterBar>
      <DataTable
        label={t('pages.conferences')}
        columns={useColumns(setOpen)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p>{t('conferences.none')}</p>}
        isLoading={loading && !data}
      />
      <SideDrawer isOpen={open !== ''} close={() => setOpen('')} title={opened ? whoOf(opened) : t('conferences.open')}>
        {open && <ConferencePanel key={open} id={open} />}
      </SideDrawer>
    </>
  );
}

function useColumns(open: (id: string) => void): Column<ConferenceRowFragment>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'customer',
      header: t('conferenceColumn.customer'),
      cell: row => (
        <button type="button" className="link" onClick={() => open(row.databaseId)}>
          {whoOf(row) || t(`conferenceKind.${row.kind}`)}
        </button>
      ),
    },
    { key: 'campaign', header: t('conferenceColumn.campaign'), cell: ({ campaign }) => campaign?.name },
    { key: 'status', header: t('conferenceColumn.status'), width: '300px', cell: row => <ConferenceState {...row} /> },
    {
      key: 'people',
      header: t('conferenceColumn.people'),
      cell: ({ legs }) =>
        legs
          .filter(leg => leg.status !== 'ENDED')
          .map(leg => leg.agentName || formatPhone(leg.targetNumber))
          .join(', '),
    },
    {
      key: 'since',
      header: t('conferenceColumn.since'),
      width: '110px',
      isNumber: true,
      cell: ({ answeredAt, createdAt }) => <Instant at={answeredAt ?? createdAt} isOfDay />,
    },
  ];
}

function whoOf({ attempt }: Pick<ConferenceRowFragment, 'attempt'>): string {
  return [attempt?.contact?.customerName, attempt && formatPhone(attempt.phoneNumber)].filter(Boolean).join(' ');
}
