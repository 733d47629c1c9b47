import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { ChoiceFilter, SearchField, useSearch } from '../../table/filters.tsx';
import type { SavedFilter } from '../follow-ups/save-list.tsx';
import { RESULT_PARAM, ResultFilter, useResultConditions } from '../results/result-filter.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { CALL_STATUSES } from '../calls/call-words.tsx';
import { CONTACT_STATUSES } from './contact-status.tsx';
import type { ContactListQueryVariables } from './contacts.generated.ts';

type Filter = NonNullable<ContactListQueryVariables['filter']>;
type Reason = NonNullable<Filter['notDialedReason']>;

const REASONS: readonly Reason[] = [
  'DNC',
  'BLACKLIST',
  'BLOCKED_DATE',
  'OUTSIDE_WINDOW',
  'FREQUENCY_CAP',
  'INTERVAL',
  'RETRY_WAIT',
  'CALLBACK',
  'IN_CALL_ELSEWHERE',
  'LINE_FULL',
  'NUMBER_FULL',
  'NUMBER_CAP',
  'PRE_DIAL_HOOK',
  'CELL_FULL',
  'CAMPAIGN_FULL',
  'NO_MONITOR',
  'NO_RUNTIME',
  'RUNTIME_FULL',
  'SWITCH_UNREACHABLE',
  'PAUSED',
  'ATTEMPTS_EXHAUSTED',
  'INVALID_NUMBER',
  'SHORT_CODE',
];
/** An answered call is COMPLETED once it is over, so that this one choice stands for every contact who answered. */
const OUTCOMES = CALL_STATUSES.filter(status => status !== 'ANSWERED');
const NARROWING = ['q', 'status', 'outcome', 'held', 'why', 'campaign', 'batch', RESULT_PARAM];

/** Filter of the contacts in the URL, in terms of the API. */
export function useContactFilters(campaignId: string | null) {
  const [query] = useSearchParams();
  const search = useSearch();
  const of = <Value extends string>(name: string, values: readonly Value[]) => values.find(value => value === query.get(name));
  const status = of('status', CONTACT_STATUSES);
  const callStatus = of('outcome', OUTCOMES);
  const held = of('held', ['yes', 'no']);
  const notDialedReason = campaignId === null ? undefined : of('why', REASONS);
  const batch = query.get('batch') ?? '';
  const chosenCampaign = campaignId ?? (/^\d+$/.test(query.get('campaign') ?? '') ? query.get('campaign') : null);
  const conditions = useResultConditions();
  const filter: Filter = {
    ...(status && { status }),
    ...(callStatus && { callStatus }),
    ...(held && { isHeld: held === 'yes' }),
    ...(notDialedReason && { notDialedReason }),
    ...(/^\d+$/.test(batch) && { batchId: batch }),
    ...(conditions.length > 0 && { resultField: conditions }),
  };
  const saved: SavedFilter = { contacts: { campaignId: chosenCampaign, search, filter } };
  const variables: Omit<ContactListQueryVariables, 'first'> = {
    campaignId: chosenCampaign,
    search,
    results: conditions.length > 0,
    filter: Object.keys(filter).length > 0 ? filter : null,
    orderBy: orderOf(query.get('sort'), chosenCampaign),
  };
  return { variables, saved, isNarrowed: NARROWING.some(name => query.has(name)) };
}

const ORDERS: Readonly<Record<string, NonNullable<ContactListQueryVariables['orderBy']>>> = {
  oldest: { direction: 'ASC' },
  name: { field: 'NAME', direction: 'ASC' },
  changed: { field: 'UPDATED_AT' },
};

/** Newest first, unless the URL says otherwise; across campaigns only the creation time is an order. */
function orderOf(sort: string | null, campaignId: string | null) {
  const order = ORDERS[sort ?? ''];
  return order && (campaignId !== null || !order.field) ? order : null;
}

export const ContactFilters = memo(function ContactFilters({ campaignId }: { campaignId: string | null }) {
  const { t } = useTranslation();
  return (
    <>
      <SearchField label={t('contacts.search')} />
      {campaignId === null && <CampaignFilter />}
      <ChoiceFilter
        name="status"
        label={t('contacts.status')}
        width={130}
        choices={CONTACT_STATUSES.map(value => ({ value, label: t(`contactStatus.${value}`) }))}
      />
      <ChoiceFilter
        name="sort"
        label={t('contacts.sort')}
        width={130}
        choices={(campaignId === null ? ['oldest'] : Object.keys(ORDERS)).map(value => ({ value, label: t(`contacts.order.${value}`) }))}
      />
    </>
  );
});

/** Query parameters of filters that are rarely set by hand; the campaign's page links to them. */
export const LESSER = ['outcome', 'held', 'why', RESULT_PARAM];

export function LesserFilters({ campaignId }: { campaignId: string | null }) {
  const { t } = useTranslation();
  const [chosenCampaign] = useQueryState('campaign');
  return (
    <>
      <ResultFilter campaignId={campaignId ?? (chosenCampaign || null)} />
      <ChoiceFilter
        name="outcome"
        label={t('contacts.lastOutcome')}
        width={170}
        choices={OUTCOMES.map(value => ({ value, label: t(`callStatus.${value === 'COMPLETED' ? 'ANSWERED' : value}`) }))}
      />
      {campaignId === null ? (
        <ChoiceFilter
          name="held"
          label={t('contacts.held')}
          width={160}
          choices={[
            { value: 'yes', label: t('contacts.isHeld') },
            { value: 'no', label: t('contacts.isFree') },
          ]}
        />
      ) : (
        <ChoiceFilter
          name="why"
          label={t('contacts.whyFilter')}
          width={190}
          choices={REASONS.map(value => ({ value, label: t(`notDialledReason.${value}`) }))}
        />
      )}
    </>
  );
}
