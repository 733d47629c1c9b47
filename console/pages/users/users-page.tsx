import { useQuery } from '@apollo/client/react';
import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EnabledChip, NounPage, OPEN, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { ChoiceFilter, SearchField, useSearch } from '../../table/filters.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { Instant } from '../../ui/instant.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ROLES, RoleTable } from './role-table.tsx';
import { useUserNoun } from './user-noun.tsx';
import { UserDocument, type UserRowFragment, UsersDocument } from './users.generated.ts';

const PAGE_ROWS = 100;

/** Users who may sign in, and the permissions of each role. */
export function UsersPage() {
  const { t } = useTranslation();
  const [tab, setTab] = useQueryState('tab');
  return (
    <Tabs value={tab || 'people'} onChange={value => setTab(value === 'people' ? '' : (value ?? ''))} keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="people">{t('users.people')}</Tabs.Tab>
        <Tabs.Tab value="roles">{t('users.roles')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="people">
        <UserList />
      </Tabs.Panel>
      <Tabs.Panel value="roles">
        <RoleTable />
      </Tabs.Panel>
    </Tabs>
  );
}

function UserList() {
  const { t } = useTranslation();
  const search = useSearch();
  const [role] = useQueryState('role');
  const [state] = useQueryState('state');
  const [open] = useQueryState(OPEN);
  const filter = { role: ROLES.find(each => each === role) ?? null, isEnabled: state ? state === 'enabled' : null };
  const { data, previousData, loading, error, fetchMore, refetch } = useQuery(UsersDocument, {
    variables: { first: PAGE_ROWS, search, filter },
  });
  const { rows, total, loadMore } = useSlice<UserRowFragment>((data ?? previousData)?.users, fetchMore);
  const isRow = open !== '' && open !== 'new';
  const { data: one } = useQuery(UserDocument, { variables: { id: open }, skip: !isRow });
  const noun = useUserNoun(refetch);
  const columns = useColumns();
  return (
    <NounPage
      noun={noun}
      columns={columns}
      rows={rows}
      total={total}
      isLoading={loading}
      error={error}
      loadMore={loadMore}
      rowOf={() => one?.user}
      isNarrowed={search !== null || role !== '' || state !== ''}
      filters={
        <>
          <SearchField label={t('users.search')} width={260} />
          <ChoiceFilter name="role" label={t('users.field.role')} choices={ROLES.map(value => ({ value, label: t(`roles.${value}`) }))} />
          <ChoiceFilter
            name="state"
            label={t('noun.state')}
            choices={[
              { value: 'enabled', label: t('noun.enabled') },
              { value: 'disabled', label: t('noun.disabled') },
            ]}
          />
        </>
      }
    />
  );
}

function useColumns(): Column<UserRowFragment>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'username',
      header: t('users.field.username'),
      cell: ({ databaseId, username }) => <OpenLink id={databaseId}>{username}</OpenLink>,
    },
    { key: 'displayName', header: t('users.field.displayName'), cell: ({ displayName }) => displayName },
    { key: 'role', header: t('users.field.role'), width: '140px', cell: ({ role }) => role && t(`roles.${role}`) },
    { key: 'state', header: t('noun.state'), width: '110px', cell: ({ isEnabled }) => <EnabledChip isEnabled={isEnabled === true} /> },
    {
      key: 'changed',
      header: t('noun.changedAt'),
      width: '232px',
      cell: ({ updatedAt }) => <span className="quiet">{updatedAt && <Instant at={updatedAt} />}</span>,
    },
  ];
}
