import { useQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useChosen } from '../../table/use-chosen.tsx';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { PoliciesDocument, type PolicyRowFragment } from './policies.generated.ts';
import { PolicyBulk } from './policy-bulk.tsx';
import { PolicyDrawer } from './policy-drawer.tsx';
import { usePolicyTypes, usePolicyWords } from './policy-kinds.tsx';

const nameOf = ({ name }: PolicyRowFragment) => name;

/** All policies; the open one is read and changed beside the list. */
export function Policies() {
  const { t } = useTranslation();
  const search = useSearch();
  const [open, setOpen] = useQueryState('policy');
  const { data, loading, error } = useQuery(PoliciesDocument);
  const rows = useShown(data?.policies ?? [], search);
  const chosen = useChosen(rows, nameOf);
  const shownChosen = rows.filter(({ id }) => chosen.rows.some(each => each.id === id));
  const columns = useColumns(setOpen);
  const disabledReason = useDisabledReason('policy:write');
  return (
    <>
      <FilterBar
        count={data && t('policies.count', { count: rows.length })}
        acts={
          <ActButton act={() => setOpen('new')} reason={disabledReason}>
            {t('policies.make')}
          </ActButton>
        }
      >
        <SearchField label={t('policies.search')} width={260} />
        <ChoiceFilter name="type" width={200} label={t('policies.type')} choices={usePolicyTypes()} />
        <ChoiceFilter
          name="scope"
          label={t('policies.scope')}
          choices={(['GLOBAL', 'CAMPAIGN'] as const).map(value => ({ value, label: t(`policyScope.${value}`) }))}
        />
        <ChoiceFilter
          name="state"
          width={120}
          label={t('policies.state')}
          choices={(['enabled', 'disabled'] as const).map(value => ({ value, label: t(`policies.${value}`) }))}
        />
      </FilterBar>
      {shownChosen.length > 0 && <PolicyBulk policies={shownChosen} clear={() => chosen.set([])} disabledReason={disabledReason} />}
      {error && <Notice error={error} />}
      <DataTable
        label={t('rules.policies')}
        columns={[chosen.column, ...columns]}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        empty={
          data?.policies?.length ? (
            <NoneFound>{t('policies.noneFound')}</NoneFound>
          ) : (
            <>
              <p>{t('policies.none')}</p>
              {disabledReason === null && <Button onClick={() => setOpen('new')}>{t('policies.make')}</Button>}
            </>
          )
        }
      />
      <PolicyDrawer
        id={open || null}
        name={data?.policies?.find(({ databaseId }) => databaseId === open)?.name}
        close={() => setOpen('')}
        disabledReason={disabledReason}
      />
    </>
  );
}

/** The list is complete, so the filter of the URL applies in the browser. */
function useShown(policies: readonly PolicyRowFragment[], wanted: string | null): PolicyRowFragment[] {
  const [query] = useSearchParams();
  const is = (name: string, value: string) => (query.get(name) ?? value) === value;
  const text = wanted?.toLowerCase() ?? '';
  return policies.filter(
    ({ name, campaign, type, scope, isEnabled }) =>
      is('type', type) &&
      is('scope', scope) &&
      is('state', isEnabled ? 'enabled' : 'disabled') &&
      `${name} ${campaign?.name ?? ''}`.toLowerCase().includes(text),
  );
}

function useColumns(open: (id: string) => void): Column<PolicyRowFragment>[] {
  const { t } = useTranslation();
  const words = usePolicyWords();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('policies.name'),
        cell: ({ databaseId, name }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {name}
          </button>
        ),
      },
      { key: 'type', header: t('policies.type'), width: '170px', cell: ({ type }) => t(`policyType.${type}`) },
      { key: 'says', header: t('policies.says'), cell: ({ settings }) => <span className="quiet">{words(settings)}</span> },
      {
        key: 'scope',
        header: t('policies.scope'),
        width: '190px',
        cell: ({ campaign, scope }) =>
          campaign ? <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link> : t(`policyScope.${scope}`),
      },
      { key: 'priority', header: t('policies.priority'), width: '90px', isNumber: true, cell: ({ priority }) => priority },
      {
        key: 'state',
        header: t('policies.state'),
        width: '130px',
        cell: ({ isEnabled, ruleId }) =>
          ruleId ? (
            <span className="tone-answered" title={t('policies.locked')}>
              {t('policies.lockedBy')}
            </span>
          ) : isEnabled ? (
            <span className="tone-answered">{t('policies.enabled')}</span>
          ) : (
            <span className="quiet">{t('policies.disabled')}</span>
          ),
      },
    ],
    [t, words, open],
  );
}
