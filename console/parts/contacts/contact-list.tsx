import { useQuery } from '@apollo/client/react';
import { Checkbox } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { FilterBar } from '../filters.tsx';
import { Notice } from '../notice.tsx';
import { useQueryState } from '../use-query-state.ts';
import { useSlice } from '../use-slice.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ContactDrawer } from './contact-drawer.tsx';
import { ContactFilters, useContactFilters } from './contact-filters.tsx';
import { ContactStatusText } from './contact-status.tsx';
import { ContactListDocument, type ContactRowFragment } from './contacts.generated.ts';

const PAGE_ROWS = 200;

interface ContactListProps {
  /** Null: of every campaign. */
  campaignId: string | null;
  /** What stands there when there is no contact at all. */
  empty: ReactNode;
  acts?: ReactNode;
}

/** Contacts, newest first: filters, sort and the open one stand in the address; the chosen ones are changed together. */
export function ContactList({ campaignId, empty, acts }: ContactListProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useQueryState('contact');
  const [chosen, setChosen] = useState<ReadonlyMap<string, ContactRowFragment>>(new Map());
  const { search, variables, isNarrowed } = useContactFilters(campaignId);
  const { data, loading, error, fetchMore, refetch } = useQuery(ContactListDocument, { variables: { ...variables, first: PAGE_ROWS } });
  const { rows, total, loadMore } = useSlice<ContactRowFragment>(data?.contacts, fetchMore);
  const choose = (row: ContactRowFragment, isChosen: boolean) =>
    setChosen(before => {
      const after = new Map(before);
      if (isChosen) after.set(row.id, row);
      else after.delete(row.id);
      return after;
    });
  const columns = useColumns({ isAll: campaignId === null, open: setOpen, chosen, choose });
  return (
    <>
      <FilterBar count={total === null ? null : t('contacts.count', { count: total, shown: formatCount(total) })} acts={acts}>
        <ContactFilters campaignId={campaignId} search={search} />
      </FilterBar>
      <BulkBar
        chosen={[...chosen.values()]}
        chooseAll={() => setChosen(new Map(rows.map(row => [row.id, row])))}
        loaded={rows.length}
        done={() => {
          setChosen(new Map());
          void refetch();
        }}
        clear={() => setChosen(new Map())}
      />
      {error && <Notice error={error} />}
      <DataTable
        label={t('contacts.list')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={isNarrowed ? t('contacts.noneFound') : empty}
        isLoading={loading}
        loadMore={loadMore}
      />
      <ContactDrawer id={open || null} close={() => setOpen('')} changed={() => void refetch()} />
    </>
  );
}

interface ColumnOptions {
  isAll: boolean;
  open: (id: string) => void;
  chosen: ReadonlyMap<string, ContactRowFragment>;
  choose: (row: ContactRowFragment, isChosen: boolean) => void;
}

function useColumns({ isAll, open, chosen, choose }: ColumnOptions): Column<ContactRowFragment>[] {
  const { t } = useTranslation();
  const wait = useWait();
  return useMemo(
    () => [
      {
        key: 'choose',
        header: '',
        width: '40px',
        cell: row => (
          <Checkbox
            size="xs"
            aria-label={t('contacts.choose', { number: row.phoneNumber })}
            checked={chosen.has(row.id)}
            onChange={event => choose(row, event.currentTarget.checked)}
          />
        ),
      },
      {
        key: 'number',
        header: t('contacts.number'),
        width: '150px',
        cell: ({ databaseId, phoneNumber }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {phoneNumber}
          </button>
        ),
      },
      { key: 'name', header: t('contacts.name'), width: '140px', cell: row => row.customerName },
      ...(isAll
        ? [
            {
              key: 'campaign',
              header: t('calls.campaign'),
              width: '190px',
              cell: ({ campaign }: ContactRowFragment) => campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>,
            },
          ]
        : []),
      { key: 'status', header: t('contacts.status'), width: '100px', cell: row => <ContactStatusText status={row.status} /> },
      { key: 'attempts', header: t('contacts.attempts'), width: '90px', isNumber: true, cell: row => row.attemptCount },
      { key: 'wait', header: t('contacts.waitsFor'), width: '220px', cell: row => <span className="quiet">{wait(row)}</span> },
      {
        key: 'created',
        header: t('contacts.created'),
        width: '190px',
        cell: row => <span className="quiet">{formatDateTime(row.createdAt)}</span>,
      },
    ],
    [t, isAll, open, chosen, choose, wait],
  );
}

/** What keeps a contact waiting, as far as its row tells. */
function useWait(): (row: ContactRowFragment) => string {
  const { t } = useTranslation();
  const words = useServerWords();
  return ({ holdReason, holdUntil, retryAt }) => {
    if (holdReason === null) return retryAt ? t('contacts.retryAt', { at: formatDateTime(retryAt) }) : '';
    const why = words(`notDialledReason.${holdReason.toUpperCase()}`, null);
    return holdUntil ? t('contacts.heldUntil', { why, at: formatDateTime(holdUntil) }) : why;
  };
}
