import { Select, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedCall } from '../../live/call-changes.ts';
import { CALL_SORTS, CALL_STATES, isWanted } from '../../live/call-order.ts';
import { useQueryState } from '../../ui/use-query-state.ts';

/** Filter and order of the calls. */
export function LiveFilters({ calls }: { calls: readonly WatchedCall[] }) {
  const { t } = useTranslation();
  const [campaign, setCampaign] = useQueryState('campaign');
  const [state, setState] = useQueryState('state');
  const [wanted, setWanted] = useQueryState('wanted');
  const [sort, setSort] = useQueryState('sort');
  const campaigns = useMemo(() => campaignsOf(calls), [calls]);
  const wantedCount = calls.filter(isWanted).length;
  return (
    <>
      <Select
        size="xs"
        w={180}
        aria-label={t('live.campaign')}
        placeholder={t('live.everyCampaign')}
        data={campaigns}
        value={campaign || null}
        onChange={value => setCampaign(value ?? '')}
        clearable
        searchable
      />
      <Select
        size="xs"
        w={130}
        aria-label={t('live.state')}
        placeholder={t('live.everyState')}
        data={CALL_STATES.map(value => ({ value, label: t(`callState.${value}`) }))}
        value={state || null}
        onChange={value => setState(value ?? '')}
        clearable
      />
      <Select
        size="xs"
        w={150}
        aria-label={t('live.sort')}
        data={CALL_SORTS.map(value => ({ value, label: t(`callSort.${value}`) }))}
        value={sort || 'need'}
        onChange={value => setSort(!value || value === 'need' ? '' : value)}
        allowDeselect={false}
      />
      <Switch
        size="sm"
        label={t('live.wantedOnly', { count: wantedCount })}
        checked={wanted === 'yes'}
        onChange={event => setWanted(event.currentTarget.checked ? 'yes' : '')}
      />
    </>
  );
}

function campaignsOf(calls: readonly WatchedCall[]): { value: string; label: string }[] {
  const names = new Map(calls.map(({ campaignId, campaignName }) => [campaignId, campaignName]));
  return [...names].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}
