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
import { EventDocument, type EventRowFragment } from './events.generated.ts';
import { Level } from './level.tsx';

/** One event: its message, its subject and who acknowledged it. */
export function EventDrawer({ rows }: { rows: readonly EventRowFragment[] }) {
  const { t } = useTranslation();
  const words = useEventWords();
  const [open, setOpen] = useQueryState(OPEN);
  const listed = rows.find(({ databaseId }) => databaseId === open);
  const { data } = useQuery(EventDocument, { variables: { id: `RuntimeEvent:${open}` }, skip: open === '' || listed !== undefined });
  const asked = data?.node?.__typename === 'RuntimeEvent' ? data.node : undefined;
  const event = listed ?? asked;
  return (
    <SideDrawer isOpen={open !== ''} close={() => setOpen('')} size="md" title={event ? words(event) : t('events.one')}>
      {!event && (data ? <Text>{t('noun.gone')}</Text> : <Skeleton height={200} />)}
      {event && <EventFacts event={event} />}
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
