import { useQuery } from '@apollo/client/react';
import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { OPEN } from '../../form/noun-page.tsx';
import { currentLanguage } from '../../text/text.ts';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { Acknowledge } from './acknowledge.tsx';
import { aboutOf, useEventWords } from './event-words.ts';
import type { EventFilter } from './event-filters.tsx';
import { EventDocument, type EventRowFragment, type EventRunFragment } from './events.generated.ts';
import { EventsOfRun } from './events-of-run.tsx';
import { Level } from './level.tsx';

interface EventDrawerProps {
  runs: readonly EventRunFragment[];
  /** The filter by which the runs were folded. */
  filter: EventFilter;
}

/** One event: its message, its subject and who acknowledged it; of equal ones in a row, each of them. */
export function EventDrawer({ runs, filter }: EventDrawerProps) {
  const { t } = useTranslation();
  const words = useEventWords();
  const [open, setOpen] = useQueryState(OPEN);
  const run = runs.find(({ newest }) => newest.databaseId === open);
  const listed = run?.newest;
  const { data } = useQuery(EventDocument, { variables: { id: `RuntimeEvent:${open}` }, skip: open === '' || listed !== undefined });
  const asked = data?.node?.__typename === 'RuntimeEvent' ? data.node : undefined;
  const event = listed ?? asked;
  return (
    <SideDrawer isOpen={open !== ''} close={() => setOpen('')} size="md" title={event ? words(event) : t('events.one')}>
      {!event && (data ? <Text>{t('noun.gone')}</Text> : <Skeleton height={200} />)}
      {event && <EventFacts event={event} />}
      {run && run.count > 1 && <EventsOfRun key={run.firstId} run={run} filter={filter} />}
    </SideDrawer>
  );
}

function EventFacts({ event }: { event: EventRowFragment }) {
  const { t } = useTranslation();
  const { level, message, createdAt, campaign, attemptId, cellId, detail } = event;
  return (
    <>
      {currentLanguage() === 'zh' && message && <Text mb="md">{message}</Text>}
      <Facts
        facts={[
          [t('events.level'), <Level key="level" level={level} />],
          [t('events.at'), <Instant key="at" at={createdAt} />],
          [t('calls.campaign'), campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
          [
            t('pages.call'),
            attemptId && <Link to={`/calls/${attemptId}`}>{aboutOf({ ...event, campaign: null, cellId: null }) || `#${attemptId}`}</Link>,
          ],
          [t('cells.cell'), cellId && <Link to={`/cells?open=${encodeURIComponent(cellId)}`}>{cellId}</Link>],
          ...Object.entries(Object(detail) as Record<string, unknown>).map(
            ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
          ),
        ]}
      />
      <Acknowledge event={event} />
    </>
  );
}
