import { useQuery } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { FilterBar, LIST_PARAM, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { localPath } from '../users/local-path.ts';
import { EditModal } from './edit-modal.tsx';
import { ExportListButton } from './export-list.tsx';
import { FeedModal } from './feed-modal.tsx';
import { FollowUpListsDocument, type FollowUpListsQuery } from './follow-ups.generated.ts';

type Row = NonNullable<FollowUpListsQuery['followUpLists']>[number];

/** Shows the follow-up lists with their current size and their actions. */
export function FollowUpsPage() {
  const { t } = useTranslation();
  const { may } = useMe();
  const search = useSearch()?.toLowerCase() ?? '';
  const exports = may('campaign:dispatch');
  const { data, loading, error, refetch } = useQuery(FollowUpListsDocument, {
    variables: { exports: exports === true },
    skip: exports === undefined,
    fetchPolicy: 'cache-and-network',
  });
  const [fed, feed] = useState<Row | null>(null);
  const [edited, edit] = useState<Row | null>(null);
  const columns = useColumns({ feed, edit });
  const all = data?.followUpLists ?? [];
  const rows = all.filter(({ name }) => name.toLowerCase().includes(search));
  return (
    <>
      <FilterBar count={data ? t('followUps.count', { count: rows.length }) : null}>
        <SearchField label={t('followUps.search')} />
      </FilterBar>
      {error && <Notice error={error} />}
      <DataTable
        label={t('pages.followUps')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={all.length === 0 ? <Empty /> : <NoneFound>{t('followUps.noneFound')}</NoneFound>}
        isLoading={loading}
      />
      <FeedModal list={fed} close={() => feed(null)} />
      <EditModal list={edited} close={() => edit(null)} changed={() => void refetch()} />
    </>
  );
}

/** The next step: a list begins as a filter. */
function Empty() {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('followUps.none')}</p>
      <Group justify="center" gap="sm">
        <Button component={Link} to="/contacts" variant="default">
          {t('followUps.toContacts')}
        </Button>
        <Button component={Link} to="/calls" variant="default">
          {t('followUps.toCalls')}
        </Button>
      </Group>
    </>
  );
}

function useColumns({ feed, edit }: { feed: (row: Row) => void; edit: (row: Row) => void }): Column<Row>[] {
  const { t } = useTranslation();
  const lacks = useDisabledReason('contact:write');
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('followUps.name'),
        cell: ({ name, address }) => (localPath(address) === '/' ? name : <Link to={pathOf(name, localPath(address))}>{name}</Link>),
      },
      { key: 'of', header: t('followUps.of'), width: '90px', cell: ({ of }) => t(`followUps.kind.${of}`) },
      { key: 'count', header: t('followUps.now'), width: '110px', isNumber: true, cell: ({ count }) => formatCount(count) },
      {
        key: 'shared',
        header: t('followUps.seenBy'),
        width: '110px',
        cell: ({ isShared }) => <span className="quiet">{t(isShared ? 'followUps.everybody' : 'followUps.onlyMe')}</span>,
      },
      { key: 'by', header: t('followUps.by'), width: '110px', cell: ({ createdBy }) => createdBy?.displayName },
      {
        key: 'updated',
        header: t('followUps.updated'),
        width: '160px',
        cell: ({ updatedAt }) => (
          <span className="quiet">
            <Instant at={updatedAt} />
          </span>
        ),
      },
      {
        key: 'acts',
        header: t('followUps.acts'),
        width: '400px',
        cell: row => (
          <Group gap="xs" wrap="nowrap">
            <ActButton size="xs" variant="default" reason={lacks ?? (row.count === 0 ? t('followUps.nobody') : null)} act={() => feed(row)}>
              {t('followUps.feed')}
            </ActButton>
            <ExportListButton list={row} />
            {row.mayChange && (
              <ActButton size="xs" variant="subtle" act={() => edit(row)}>
                {t('followUps.edit')}
              </ActButton>
            )}
          </Group>
        ),
      },
    ],
    [t, lacks, feed, edit],
  );
}

/** The page with the filter of a list, which shows whose filter it is. */
function pathOf(name: string, address: string): string {
  const [path = '', query = ''] = address.split('?');
  const named = new URLSearchParams(query);
  named.set(LIST_PARAM, name);
  return `${path}?${named}`;
}
