import { useQuery } from '@apollo/client/react';
import { Button, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OpenLink } from '../../form/noun-page.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import type { EventFilter } from './event-filters.tsx';
import { aboutOf } from './event-words.ts';
import { type EventRowFragment, type EventRunFragment, EventsOfRunDocument } from './events.generated.ts';

interface EventsOfRunProps {
  run: EventRunFragment;
  filter: EventFilter;
}

/** Lists the single events of a run, which the page of events folds into one line: the time and the subject of each. */
export function EventsOfRun({ run: { count, firstId, firstAt, lastAt, newest }, filter }: EventsOfRunProps) {
  const { t } = useTranslation();
  const variables = { filter: { ...filter, fromId: firstId, toId: newest.databaseId } };
  const { data, error, fetchMore } = useQuery(EventsOfRunDocument, { variables });
  const { rows, loadMore } = useSlice<EventRowFragment>(data?.runtimeEvents, fetchMore);
  return (
    <section aria-label={t('events.each', { count })}>
      <Title order={3} mt="md" mb="xs">
        {t('events.each', { count })}
      </Title>
      <p className="quiet">{t('events.span', { from: formatDateTime(firstAt), to: formatDateTime(lastAt) })}</p>
      {error && <Notice error={error} />}
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(event => (
            <Table.Tr key={event.id}>
              <Table.Td>
                <OpenLink id={event.databaseId}>{formatDateTime(event.createdAt)}</OpenLink>
              </Table.Td>
              <Table.Td>{aboutOf(event)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {loadMore && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={loadMore}>
          {t('events.more')}
        </Button>
      )}
    </section>
  );
}
