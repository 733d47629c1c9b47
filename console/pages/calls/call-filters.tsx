import { useQuery } from '@apollo/client/react';
import { TextInput, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, SearchField } from '../../table/filters.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { CallChoicesDocument, type CallsQueryVariables } from './calls.generated.ts';
import { OutcomeChoice, useOutcomeFilter } from './outcome-filter.tsx';

type Filter = CallsQueryVariables['filter'];

/** Range of a list whose URL has none: all calls ever would be slow to count. */
const USUAL = { usual: 'week' } as const;

/** Bounds of the talk time, in s, both inclusive. */
const TALKS = {
  short: { minDurationSeconds: 0, maxDurationSeconds: 10 },
  medium: { minDurationSeconds: 11, maxDurationSeconds: 60 },
  long: { minDurationSeconds: 61, maxDurationSeconds: 300 },
  longest: { minDurationSeconds: 301 },
} as const;

interface CallFilter {
  filter: Filter;
  isOldestFirst: boolean;
  /**
   * Whether the filter leaves few calls (a time span, a campaign, a number or an agent): only then may it use conditions without an index.
   */
  isNarrow: boolean;
  /** Whether the filter has more than the default time span. */
  isFiltered: boolean;
}

/** Filter of the calls in the URL; invalid values are ignored. */
export function useCallFilter(): CallFilter {
  const [query] = useSearchParams();
  const { from, to } = useDateRange(USUAL);
  const asked = (name: string) => query.get(name)?.trim() || null;
  const narrow = { from, campaignId: asked('campaign'), phoneNumber: asked('number'), agentId: asked('agent') };
  const isNarrow = Object.values(narrow).some(value => value !== null);
  const talk = keyIn(TALKS, asked('talk'));
  const scanned = isNarrow ? { classification: asked('class'), ...(talk ? TALKS[talk] : {}) } : {};
  const outcome = useOutcomeFilter();
  return {
    // A claim that was taken back never called anyone.
    filter: { ...narrow, to, ...scanned, ...outcome, lineId: asked('line'), withdrawn: false },
    isOldestFirst: asked('order') === 'oldest',
    isNarrow,
    isFiltered: [...query.keys()].some(name => name !== 'order'),
  };
}

function keyIn<Table extends object>(table: Table, key: string | null): (keyof Table & string) | null {
  return key !== null && Object.hasOwn(table, key) ? (key as keyof Table & string) : null;
}

/** Filters of the calls, each kept in the URL. */
export function CallFilters() {
  const { t } = useTranslation();
  return (
    <>
      <DateRange {...USUAL} />
      <SearchField name="number" label={t('calls.number')} />
      <OutcomeChoice />
      <CampaignFilter />
    </>
  );
}

/** Query parameters of the filters behind "more". */
export const LESSER = ['line', 'agent', 'talk', 'class'];

export function LesserFilters({ isNarrow }: Pick<CallFilter, 'isNarrow'>) {
  const { t } = useTranslation();
  const { data } = useQuery(CallChoicesDocument);
  const named = (rows: readonly { databaseId: string; name: string }[] | null | undefined) =>
    (rows ?? []).map(({ databaseId, name }) => ({ value: databaseId, label: name }));
  return (
    <>
      <ChoiceFilter name="line" label={t('calls.line')} choices={named(data?.lines)} />
      <ChoiceFilter name="agent" label={t('calls.agent')} choices={named(data?.agents)} />
      <Scanned isNarrow={isNarrow}>
        <ChoiceFilter
          name="talk"
          label={t('calls.duration')}
          choices={Object.keys(TALKS).map(value => ({ value, label: t(`calls.talks.${value}`) }))}
        />
        <ClassFilter />
      </Scanned>
    </>
  );
}

/** A filter that needs a narrower list; it says so until the list is narrow enough. */
function Scanned({ isNarrow, children }: { isNarrow: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (isNarrow) return children;
  return (
    <Tooltip label={t('calls.tooMany')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <TextInput
        w={190}
        aria-label={t('calls.durationOrClass')}
        placeholder={t('calls.durationOrClass')}
        readOnly
        aria-description={t('calls.tooMany')}
      />
    </Tooltip>
  );
}

/** Result classes are defined by scripts: the user types one in full and confirms it with Enter. */
function ClassFilter() {
  const { t } = useTranslation();
  const [value, set] = useQueryState('class');
  return (
    <TextInput
      key={value}
      w={140}
      aria-label={t('calls.classification')}
      placeholder={t('calls.classification')}
      defaultValue={value}
      onBlur={event => set(event.currentTarget.value.trim())}
      onKeyDown={event => event.key === 'Enter' && set(event.currentTarget.value.trim())}
    />
  );
}
