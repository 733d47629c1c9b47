import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { Instant } from '../../ui/instant.tsx';
import { personPath } from '../../ui/person-path.ts';
import { CallbackStatus, personOf } from './callback-words.tsx';
import type { CallbackRowFragment } from './callbacks.generated.ts';

interface ListProps {
  callbacks: readonly CallbackRowFragment[];
  open: (id: string) => void;
  isLoading: boolean;
  loadMore: (() => void) | undefined;
}

/** Callbacks in the order in which they are due. */
export function CallbackList({ callbacks, open, isLoading, loadMore }: ListProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('pages.callbacks')}
      columns={useColumns(open)}
      rows={callbacks}
      keyOf={({ id }) => id}
      empty={t('callbacks.none')}
      isLoading={isLoading}
      loadMore={loadMore}
    />
  );
}

function useColumns(open: (id: string) => void): Column<CallbackRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'due',
        header: t('contacts.callbackWhen'),
        width: '190px',
        cell: ({ databaseId, dueAt }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            <Instant at={dueAt} />
          </button>
        ),
      },
      {
        key: 'person',
        header: t('callbacks.person'),
        width: '170px',
        cell: row => row.contact && <Link to={personPath(row.contact.phoneNumber)}>{personOf(row)}</Link>,
      },
      {
        key: 'campaign',
        header: t('calls.campaign'),
        width: '180px',
        cell: ({ campaign }) => campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>,
      },
      { key: 'agent', header: t('callbacks.byAgent'), width: '120px', cell: ({ agent }) => agent?.name ?? t('callbacks.anybody') },
      { key: 'note', header: t('contacts.callbackNote'), cell: ({ note }) => note },
      { key: 'status', header: t('contacts.status'), width: '200px', cell: row => <CallbackStatus callback={row} /> },
    ],
    [t, open],
  );
}
