import { useApolloClient, useQuery } from '@apollo/client/react';
import { Badge, SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NounPage, OPEN, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { useRows } from '../../table/use-rows.ts';
import { formatCount } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { LIST_KINDS, useListNoun } from './list-noun.tsx';
import { ContactListsDocument, type ContactListRowFragment, type ContactListsQuery, OneContactListDocument } from './lists.generated.ts';

/** Imports go on while the list is looked at. */
const LOOK_MS = 3_000;

/** The library of lists: contacts that campaigns take, and numbers that nobody calls. */
export function ListsPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const [asked, setKind] = useQueryState('kind');
  const kind = LIST_KINDS.find(each => each === asked) ?? null;
  const { rows, total, isLoading, error, loadMore, reload } = useRows({
    document: ContactListsDocument,
    variables: { search: search ?? null, kind },
    sliceOf,
    lookMs: LOOK_MS,
  });
  const noun = useListNoun(reload);
  const opened = useOpened(rows);
  return (
    <NounPage
      noun={noun}
      columns={useColumns()}
      rows={rows}
      total={total}
      isLoading={isLoading}
      error={error}
      loadMore={loadMore}
      reload={reload}
      rowOf={() => opened}
      isNarrowed={Boolean(search) || kind !== null}
      filters={
        <>
          <SearchField label={t('lists.search')} />
          <SegmentedControl
            size="sm"
            aria-label={t('lists.field.kind')}
            value={kind ?? ''}
            onChange={setKind}
            data={[{ value: '', label: t('lists.everyKind') }, ...LIST_KINDS.map(value => ({ value, label: t(`lists.kind.${value}`) }))]}
          />
        </>
      }
    />
  );
}

const sliceOf = ({ contactLists }: ContactListsQuery) => contactLists;

/** The row that the address names, which may be beyond the slice that is shown. Undefined while loading; null when it is gone. */
function useOpened(rows: readonly ContactListRowFragment[]): ContactListRowFragment | null | undefined {
  const [open] = useQueryState(OPEN);
  const known = rows.find(({ databaseId }) => databaseId === open);
  const isAsked = known === undefined && /^\d+$/.test(open);
  const { data } = useQuery(OneContactListDocument, { variables: { id: open }, skip: !isAsked, client: useApolloClient() });
  return known ?? (isAsked ? data?.contactList : null);
}

function useColumns(): Column<ContactListRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'name', header: t('lists.field.name'), cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink> },
      { key: 'kind', header: t('lists.field.kind'), width: '130px', cell: ({ kind }) => <KindChip kind={kind} /> },
      {
        key: 'rows',
        header: t('lists.rows'),
        width: '130px',
        isNumber: true,
        cell: ({ version, rowCount }) => (version === 0 ? <span className="quiet">{t('lists.empty')}</span> : formatCount(rowCount)),
      },
      { key: 'version', header: t('lists.version'), width: '90px', isNumber: true, cell: ({ version }) => (version === 0 ? '' : version) },
      {
        key: 'state',
        header: t('lists.state'),
        width: '130px',
        cell: ({ importId }) => importId !== null && <span className="tone-waiting">{t('lists.importing')}</span>,
      },
      { key: 'description', header: t('lists.field.description'), cell: ({ description }) => <span className="quiet">{description}</span> },
      {
        key: 'updated',
        header: t('lists.updated'),
        width: '215px',
        cell: ({ updatedAt }) => (
          <span className="quiet">
            <Instant at={updatedAt} />
          </span>
        ),
      },
    ],
    [t],
  );
}

function KindChip({ kind }: Pick<ContactListRowFragment, 'kind'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={kind === 'DO_NOT_CALL' ? 'red' : 'blue'} radius="sm" tt="none">
      {t(`lists.kind.${kind}`)}
    </Badge>
  );
}
