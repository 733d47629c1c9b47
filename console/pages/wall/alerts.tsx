import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStream } from '../../live/use-stream.ts';
import { formatAge, formatDateTime } from '../../text/format.ts';
import { fullTime } from '../../text/zone.ts';
import { currentLanguage } from '../../text/text.ts';
import { useNow } from '../../ui/use-now.ts';
import { AcknowledgeAlertDocument, AlertsOverDocument } from '../runtime-events/alert.generated.ts';
import { aboutOf, useEventWords, useOverWords } from '../runtime-events/event-words.ts';
import { type AlertFragment, WallAlertsDocument, type WallAlertsSubscription } from './wall.generated.ts';
import styles from './wall.module.css';

const HELD = 50;
const AGES_MS = 10_000;
/** Interval in ms at which unacknowledged events are checked for having ended. */
const LOOK_MS = 5_000;

/** The newest events of the installation; unacknowledged warnings and errors come first. */
export function Alerts({ shown: most }: { shown: number }) {
  const { t } = useTranslation();
  const words = useEventWords();
  const overWords = useOverWords();
  const now = useNow(AGES_MS);
  const { state: events, isThere } = useStream(WallAlertsDocument, { variables: {}, initial: [], reduce: withEvent });
  const [acknowledge, { loading }] = useMutation(AcknowledgeAlertDocument);
  const asking = events.filter(({ level, acknowledgedAt }) => level !== 'INFO' && acknowledgedAt === null);
  const over = useOver(asking.map(({ id }) => id));
  const isOpen = (event: AlertFragment) => asking.includes(event) && !over.has(event.id);
  const open = asking.filter(isOpen);
  const seen = ({ databaseId }: AlertFragment) => void acknowledge({ variables: { id: databaseId } });
  const shown = [...events].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a))).slice(0, most);
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Group justify="space-between">
        <Title order={2}>{t('wall.alerts')}</Title>
        {open.length > 1 && (
          <Button variant="subtle" size="compact-xs" disabled={loading} onClick={() => open.forEach(seen)}>
            {t('wall.acknowledgeAll', { count: open.length })}
          </Button>
        )}
      </Group>
      {isThere && shown.length === 0 && <Text className="quiet">{t('wall.noAlerts')}</Text>}
      {shown.map(event => (
        <div key={event.id} className={styles.alert}>
          {over.has(event.id) ? (
            <span className={styles.dot} role="img" aria-label={t('wall.over')} />
          ) : (
            <span className={`${styles.dot} ${styles[event.level] ?? ''}`} role="img" aria-label={t(`level.${event.level}`)} />
          )}
          <span>
            {words(event)}
            {over.has(event.id) && (
              <Text span className="quiet">
                {' '}
                · {overWords(event, formatDateTime(over.get(event.id) ?? ''))}
              </Text>
            )}
            {currentLanguage() === 'zh' && event.message && event.message !== words(event) && !over.has(event.id) && (
              <Text size="xs">{event.message}</Text>
            )}
            <Text size="xs" className="quiet" title={fullTime(event.createdAt)}>
              {aboutOf(event) && `${aboutOf(event)} · `}
              {formatAge(event.createdAt, now)}
            </Text>
          </span>
          {isOpen(event) && (
            <Button
              variant="default"
              size="compact-xs"
              disabled={loading}
              aria-label={t('wall.acknowledgeOf', { title: words(event) })}
              onClick={() => seen(event)}
            >
              {t('wall.acknowledge')}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}

/** When each event ended, by id, for those that have ended. */
function useOver(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data, previousData } = useQuery(AlertsOverDocument, {
    variables: { ids: [...ids] },
    skip: ids.length === 0,
    pollInterval: LOOK_MS,
  });
  const nodes = (data ?? previousData)?.nodes ?? [];
  return new Map(
    nodes.flatMap(node => (node?.__typename === 'RuntimeEvent' && node.overAt !== null ? [[node.id, node.overAt] as const] : [])),
  );
}

function withEvent(events: readonly AlertFragment[], { runtimeEvents: update }: WallAlertsSubscription): readonly AlertFragment[] {
  if ('events' in update) return update.events;
  if (!('event' in update)) return events;
  const { event } = update;
  return events.some(({ id }) => id === event.id)
    ? events.map(each => (each.id === event.id ? event : each))
    : [event, ...events].slice(0, HELD);
}
