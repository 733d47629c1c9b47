import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { DataTable } from '../../table/data-table.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useRows } from '../../table/use-rows.ts';
import { formatCount } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useCallColumns } from '../calls/call-columns.tsx';
import { OutcomeChoice, useOutcomeFilter } from '../calls/outcome-filter.tsx';
import { CampaignCallsDocument, type CampaignCallsQuery } from './campaign.generated.ts';

const PAGE_ROWS = 100;
/** Refresh interval of the list, in ms. */
const LOOK_MS = 5_000;
const callsOf = ({ campaign }: CampaignCallsQuery) => campaign?.attempts;

/** The campaign's calls, newest first. */
export function Calls({ id }: { id: string }) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const outcome = useOutcomeFilter();
  const range = useDateRange();
  const variables = { id, first: PAGE_ROWS, filter: { withdrawn: false, ...outcome, ...range } };
  const { rows, total, of, isLoading, error, loadMore, reload } = useRows({
    document: CampaignCallsDocument,
    variables,
    sliceOf: callsOf,
    lookMs: LOOK_MS,
  });
  const isNarrowed = query.has('outcome') || range.from !== null || range.to !== null;
  const { at, number, name, outcome: how, duration, class: classification, by, caller } = useCallColumns();
  const columns = [at, number, name, how, duration, classification, by, caller];
  return (
    <>
      <Group mb="sm" gap="sm">
        <DateRange />
        <OutcomeChoice />
        <Text className="quiet" aria-live="polite">
          {total !== null && t('calls.count', { count: total, shown: formatCount(total) })}
        </Text>
      </Group>
      {error && <Notice error={error} again={reload} />}
      <DataTable
        label={t('campaign.callsTab')}
        columns={columns}
        rows={rows}
        keyOf={row => row.id}
        empty={isNarrowed ? <NoneFound>{t('calls.noneFound')}</NoneFound> : t('calls.none')}
        isLoading={isLoading}
        of={of}
        loadMore={loadMore}
      />
    </>
  );
}
