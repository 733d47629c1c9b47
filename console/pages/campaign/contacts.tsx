import { useQuery } from '@apollo/client/react';
import { Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useQueryState } from '../../parts/use-query-state.ts';
import { useSlice } from '../../parts/use-slice.ts';
import { formatDateTime } from '../../text/format.ts';
import { ContactDrawer } from './contact-drawer.tsx';
import { CampaignContactsDocument, type ContactRowFragment } from './contacts.generated.ts';

const PAGE_ROWS = 100;
const SEARCH_WAIT_MS = 200;
export const CONTACT_STATUSES = ['PENDING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'PAUSED'] as const;
type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** The campaign's contacts; one opens at the side, and says why it is not dialled. */
export function Contacts({ id }: { id: string }) {
  const { t } = useTranslation();
  const [search, setSearch] = useQueryState('q');
  const [status, setStatus] = useQueryState('status');
  const [open, setOpen] = useQueryState('contact');
  const [wanted] = useDebouncedValue(search, SEARCH_WAIT_MS);
  const variables = { id, first: PAGE_ROWS, search: wanted || null, status: (status || null) as ContactStatus | null };
  const { data, loading, error, fetchMore } = useQuery(CampaignContactsDocument, { variables });
  const { rows, total, loadMore } = useSlice<ContactRowFragment>(data?.campaign?.contacts, fetchMore);
  const columns = useColumns(setOpen);
  return (
    <>
      <Group mb="sm" gap="sm">
        <TextInput
          type="search"
          w={260}
          aria-label={t('contacts.search')}
          placeholder={t('contacts.search')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Select
          w={150}
          aria-label={t('contacts.status')}
          placeholder={t('contacts.everyStatus')}
          clearable
          value={status || null}
          onChange={value => setStatus(value ?? '')}
          data={CONTACT_STATUSES.map(value => ({ value, label: t(`contactStatus.${value}`) }))}
        />
        <Text className="quiet" aria-live="polite">
          {total !== null && t('contacts.count', { count: total })}
        </Text>
      </Group>
      {error && <Notice error={error} />}
      <DataTable
        label={t('campaign.contactsTab')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={t(search || status ? 'contacts.noneFound' : 'contacts.none')}
        isLoading={loading}
        loadMore={loadMore}
      />
      <ContactDrawer id={open || null} close={() => setOpen('')} />
    </>
  );
}

function useColumns(open: (id: string) => void): Column<ContactRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'number',
        header: t('contacts.number'),
        width: '180px',
        cell: ({ databaseId, phoneNumber }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {phoneNumber}
          </button>
        ),
      },
      { key: 'name', header: t('contacts.name'), cell: row => row.customerName },
      { key: 'status', header: t('contacts.status'), width: '110px', cell: row => <ContactStatusText status={row.status} /> },
      { key: 'attempts', header: t('contacts.attempts'), width: '90px', isNumber: true, cell: row => row.attemptCount },
      {
        key: 'wait',
        header: t('contacts.waitsFor'),
        cell: ({ holdReason, holdUntil, retryAt }) => (
          <span className="quiet">
            {holdReason ?? (retryAt ? t('contacts.retryAt', { at: formatDateTime(retryAt) }) : '')} {holdUntil && formatDateTime(holdUntil)}
          </span>
        ),
      },
      {
        key: 'created',
        header: t('contacts.created'),
        width: '200px',
        cell: row => <span className="quiet">{formatDateTime(row.createdAt)}</span>,
      },
    ],
    [t, open],
  );
}

const TONES: Record<ContactStatus, string> = {
  PENDING: '',
  SUBMITTED: '',
  COMPLETED: 'tone-answered',
  FAILED: 'tone-failed',
  PAUSED: 'quiet',
};

export function ContactStatusText({ status }: { status: ContactStatus }) {
  const { t } = useTranslation();
  return <span className={TONES[status]}>{t(`contactStatus.${status}`)}</span>;
}
