import { useQuery } from '@apollo/client/react';
import { TextInput, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { DateRange, useDateRange, usePreset } from '../../table/date-range.tsx';
import { ChoiceFilter, SearchField } from '../../table/filters.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import type { SavedFilter } from '../follow-ups/save-list.tsx';
import { RESULT_PARAM, ResultFilter, useResultConditions } from '../results/result-filter.tsx';
import { CallChoicesDocument, type CallsQueryVariables } from './calls.generated.ts';
import { ClassFilter } from './class-filter.tsx';
import { OutcomeChoice, useOutcomeFilter } from './outcome-filter.tsx';
import { RECORDING_STATES } from './recording-state.tsx';

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
  /** The filter as a follow-up list keeps it: a span that moves with the days goes on moving. */
  saved: SavedFilter;
}

/** How many days ago spans begin that end today. */
const SINCE_DAYS: Readonly<Record<string, number>> = { today: 0, week: 6, month: 29 };

/** Filter of the calls in the URL; invalid values are ignored. */
export function useCallFilter(): CallFilter {
  const [query] = useSearchParams();
  const { from, to } = useDateRange(USUAL);
  const asked = (name: string) => query.get(name)?.trim() || null;
  const narrow = { from, campaignId: asked('campaign'), phoneNumber: asked('number'), agentId: asked('agent') };
  const isNarrow = Object.values(narrow).some(value => value !== null);
  const talk = keyIn(TALKS, asked('talk'));
  const conditions = useResultConditions();
  const recordingState = RECORDING_STATES.find(state => state === asked('recording'));
  const resultField = conditions.length > 0 ? { resultField: conditions } : {};
  const scanned = isNarrow
    ? { classification: asked('class'), ...(talk ? TALKS[talk] : {}), ...(recordingState ? { recordingState } : {}), ...resultField }
    : {};
  const outcome = useOutcomeFilter();
  // A claim that was taken back never called anyone.
  const filter = { ...narrow, to, ...scanned, ...outcome, lineId: asked('line'), withdrawn: false };
  const sinceDays = SINCE_DAYS[usePreset(USUAL) ?? ''];
  return {
    filter,
    saved: { calls: sinceDays === undefined ? { filter } : { filter: { ...filter, from: null, to: null }, sinceDays } },
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
export const LESSER = ['line', 'agent', 'talk', 'class', 'recording', RESULT_PARAM];

export function LesserFilters({ isNarrow }: Pick<CallFilter, 'isNarrow'>) {
  const { t } = useTranslation();
  const { data } = useQuery(CallChoicesDocument);
  const [campaign] = useQueryState('campaign');
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
        <ChoiceFilter
          name="recording"
          label={t('calls.recording')}
          choices={RECORDING_STATES.map(value => ({ value, label: t(`recordingState.${value}`) }))}
        />
        <ResultFilter campaignId={campaign || null} />
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
