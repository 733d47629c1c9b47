import { useMutation } from '@apollo/client/react';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../text/format.ts';
import { fullTime } from '../../text/zone.ts';
import { AcknowledgeAlertDocument } from './alert.generated.ts';
import { useEventWords, useOverWords } from './event-words.ts';
import type { EventRowFragment } from './events.generated.ts';

/** User who acknowledged the event, or a button that does so. Events for the record and events that are over need no acknowledgement. */
export function Acknowledge({ event, isShort = false }: { event: EventRowFragment; isShort?: boolean }) {
  const { t } = useTranslation();
  const words = useEventWords();
  const overWords = useOverWords();
  const [acknowledge, { loading, error }] = useMutation(AcknowledgeAlertDocument, { variables: { id: event.databaseId } });
  const { acknowledgedAt, acknowledgedBy, level, overAt } = event;
  if (acknowledgedAt !== null) {
    const by = acknowledgedBy?.displayName ?? t('events.somebody');
    return (
      <Text size="sm" className="quiet" title={fullTime(acknowledgedAt)}>
        {isShort ? by : t('events.seenBy', { name: by, at: formatDateTime(acknowledgedAt) })}
      </Text>
    );
  }
  if (level === 'INFO') return null;
  if (overAt !== null) {
    const over = overWords(event, formatDateTime(overAt));
    return (
      <Text size="sm" className="quiet" title={over}>
        {isShort ? t('wall.over') : over}
      </Text>
    );
  }
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={loading}
        aria-label={t('wall.acknowledgeOf', { title: words(event) })}
        onClick={() => void acknowledge()}
      >
        {t('wall.acknowledge')}
      </Button>
      {error && !isShort && (
        <Text size="sm" className="tone-failed" role="alert">
          {error.message}
        </Text>
      )}
    </>
  );
}
