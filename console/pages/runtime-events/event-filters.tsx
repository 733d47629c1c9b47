import { useTranslation } from 'react-i18next';
import { CampaignFilter } from '../../form/campaign-select.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter } from '../../table/filters.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import type { EventRowFragment, EventRunsQueryVariables } from './events.generated.ts';

export type EventFilter = NonNullable<EventRunsQueryVariables['filter']>;
type Level = EventRowFragment['level'];

const LEVELS: readonly Level[] = ['INFO', 'WARNING', 'ERROR'];
/** Option of the filter for everything that is not informational, beside each single level. */
const BAD = 'BAD';

/** Filter of the events in the URL. */
export function useEventFilter(): { filter: EventFilter; isNarrowed: boolean } {
  const [level] = useQueryState('level');
  const [type] = useQueryState('type');
  const [campaignId] = useQueryState('campaign');
  const [cellId] = useQueryState('cell');
  const [seen] = useQueryState('seen');
  const span = useDateRange();
  const levels = level === BAD ? LEVELS.slice(1) : LEVELS.filter(each => each === level);
  const filter = {
    levels: levels.length === 0 ? null : levels,
    type: type || null,
    campaignId: campaignId || null,
    cellId: cellId || null,
    isAcknowledged: seen ? seen === 'yes' : null,
    ...span,
  };
  return { filter, isNarrowed: Object.values(filter).some(value => value !== null) };
}

/** Whether the filter in the URL includes the event. */
export function matches(event: EventRowFragment, { levels, type, campaignId, cellId, isAcknowledged, from, to }: EventFilter): boolean {
  return (
    (!levels || [levels].flat().includes(event.level)) &&
    (!type || event.type === type) &&
    (!campaignId || event.campaign?.databaseId === campaignId) &&
    (!cellId || event.cellId === cellId) &&
    (typeof isAcknowledged !== 'boolean' || (event.acknowledgedAt !== null) === isAcknowledged) &&
    (!from || event.createdAt >= from) &&
    (!to || event.createdAt < to)
  );
}

export function EventFilters() {
  const { t } = useTranslation();
  const kinds = t('eventType', { returnObjects: true }) as unknown as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const types = Object.entries(kinds).flatMap(([noun, happenings]) =>
    Object.entries(happenings).map(([happened, label]) => ({ value: `${noun}.${happened}`, label })),
  );
  return (
    <>
      <DateRange />
      <ChoiceFilter
        name="level"
        label={t('events.level')}
        width={170}
        choices={[{ value: BAD, label: t('events.bad') }, ...LEVELS.map(value => ({ value, label: t(`level.${value}`) }))]}
      />
      <ChoiceFilter name="type" label={t('events.type')} width={240} choices={types} />
      <ChoiceFilter
        name="seen"
        label={t('events.acknowledged')}
        choices={[
          { value: 'no', label: t('events.isOpen') },
          { value: 'yes', label: t('events.isSeen') },
        ]}
      />
      <CampaignFilter />
    </>
  );
}
