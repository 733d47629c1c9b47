import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BulkBar } from '../../table/bulk-bar.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useBulk } from '../../table/use-bulk.ts';
import { useChosen } from '../../table/use-chosen.tsx';
import { findAll, useRows } from '../../table/use-rows.ts';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { useServerWords } from '../../text/server-words.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ExportAct } from '../exports/export-act.tsx';
import { SaveListButton } from '../follow-ups/save-list.tsx';
import { useFoundColumn } from '../results/found-column.tsx';
import { ContactBulkActs } from './bulk-acts.tsx';
import { ContactDrawer } from './contact-drawer.tsx';
import { ContactFilters, LESSER, LesserFilters, useContactFilters } from './contact-filters.tsx';
import { ContactStatusText } from './contact-status.tsx';
import { ContactListDocument, type ContactListQuery, type ContactRowFragment } from './contacts.generated.ts';

/** Page size: more than a screen shows, and small enough for a response while the user types. */
const PAGE_ROWS = 50;
const KINDS = ['CONTACTS'] as const;
type Row = NonNullable<ContactListQuery['contacts']>['nodes'][number];
const contactsOf = ({ contacts }: ContactListQuery) => contacts;
const nameOf = ({ phoneNumber }: ContactRowFragment) => formatPhone(phoneNumber);

interface ContactListProps {
  /** Null: contacts of every campaign. */
  campaignId: string | null;
  /** Shown when there is no contact at all. */
  empty: ReactNode;
  acts?: ReactNode;
}

/** Contacts, newest first. The filter, the order and the open contact are in the URL; selected contacts are changed together. */
export function ContactList({ campaignId, empty, acts }: ContactListProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useQueryState('contact');
  const { variables, saved, isNarrowed } = useContactFilters(campaignId);
  const list = useRows({ document: ContactListDocument, variables: { ...variables, first: PAGE_ROWS }, sliceOf: contactsOf });
  const { rows, total } = list;
  const chosen = useChosen(rows, nameOf);
  const bulk = useBulk(() => {
    chosen.set([]);
    list.reload();
  });
  const found = useFoundColumn();
  const usual = useColumns(campaignId === null, setOpen);
  // With results in the query, a column of result values replaces the last one, the time of creation.
  const columns: Column<Row>[] = [chosen.column, ...(variables.results ? [...usual.slice(0, -1), found] : usual)];
  return (
    <>
      <FilterBar
        more={{ names: LESSER, filters: <LesserFilters campaignId={campaignId} /> }}
        count={total === null ? null : t('contacts.count', { count: total, shown: formatCount(total) })}
        acts={
          <>
            <SaveListButton filter={saved} />
            <ExportAct total={total} kinds={KINDS} filter={exported(campaignId, variables)} campaignId={campaignId} />
            {acts}
          </>
        }
      >
        <ContactFilters campaignId={campaignId} />
      </FilterBar>
      <BulkBar chosen={chosen.rows} set={chosen.set} total={total} findAll={report => findAll(list.read, report)} bulk={bulk}>
        <ContactBulkActs chosen={chosen.rows} bulk={bulk} />
      </BulkBar>
      {list.error && <Notice error={list.error} again={list.reload} />}
      <DataTable
        label={t('contacts.list')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={isNarrowed ? <NoneFound>{t('contacts.noneFound')}</NoneFound> : empty}
        isLoading={list.isLoading}
        of={list.of}
        loadMore={list.loadMore}
      />
      <ContactDrawer id={open || null} close={() => setOpen('')} changed={list.reload} />
    </>
  );
}

/** The filter of the list as an export takes it. */
function exported(campaignId: string | null, { search, filter }: ReturnType<typeof useContactFilters>['variables']) {
  return { campaignId, search: search ?? null, contacts: filter ?? null };
}

function useColumns(isAll: boolean, open: (id: string) => void): Column<ContactRowFragment>[] {
  const { t } = useTranslation();
  const wait = useWait();
  return useMemo(
    () => [
      {
        key: 'number',
        header: t('contacts.number'),
        width: '150px',
        cell: ({ databaseId, phoneNumber }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {formatPhone(phoneNumber)}
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
      {
        key: 'status',
        header: t('contacts.status'),
        width: '120px',
        cell: row => <ContactStatusText status={row.status} retryAt={row.retryAt} />,
      },
      { key: 'attempts', header: t('contacts.attempts'), width: '90px', isNumber: true, cell: row => row.attemptCount },
      { key: 'wait', header: t('contacts.waitsFor'), width: '240px', cell: row => wait(row) && <span className="quiet">{wait(row)}</span> },
      {
        key: 'created',
        header: t('contacts.created'),
        width: '170px',
        cell: row => (
          <span className="quiet">
            <Instant at={row.createdAt} />
          </span>
        ),
      },
    ],
    [t, isAll, open, wait],
  );
}

/** Why a contact waits, as far as its row knows. */
function useWait(): (row: ContactRowFragment) => string {
  const { t } = useTranslation();
  const words = useServerWords();
  return useCallback(
    ({ holdReason, holdUntil, retryAt }) => {
      if (holdReason === null) return retryAt ? t('contacts.retryAt', { at: formatDateTime(retryAt) }) : '';
      const why = words(`notDialledReason.${holdReason.toUpperCase()}`, null);
      return holdUntil ? t('contacts.heldUntil', { why, at: formatDateTime(holdUntil) }) : why;
    },
    [t, words],
  );
}
