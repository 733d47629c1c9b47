import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import type { CallQuery } from './call.generated.ts';
import styles from './call.module.css';

type CallEvent = NonNullable<CallQuery['attempt']>['timeline'][number];

/** What happened when, from the claim to the result; what was said stands beside it. */
export function Timeline({ events }: { events: readonly CallEvent[] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.timeline')}>
      <Title order={2} mb="xs">
        {t('call.timeline')}
      </Title>
      <ol className={styles.timeline}>
        {shownOf(events).map((event, index) => (
          // Events of a call are never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <Event key={index} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Event({ event: { at, kind, text, detail } }: { event: CallEvent }) {
  const { t } = useTranslation();
  const words = useServerWords();
  const { type } = Object(detail) as { type?: string };
  const title = kind === 'EVENT' && type ? words(`eventType.${type}`, text) : t(`callEvent.${kind}`);
  const more = kind === 'RESULT' ? text && t(`callStatus.${text.toUpperCase()}`) : kind === 'EVENT' ? '' : text;
  return (
    <li className={styles[kind]}>
      <time dateTime={at} className="quiet">
        {formatTime(at)}
      </time>
      <span>
        {title}
        {more && (
          <Text size="xs" className="quiet" component="span" display="block">
            {more}
          </Text>
        )}
      </span>
    </li>
  );
}

/** Sentences one by one stand in the transcript; the switch's word to each dial says nothing that the next line does not. */
function shownOf(events: readonly CallEvent[]): CallEvent[] {
  return events.filter(({ kind }) => kind !== 'SEGMENT').map(event => (event.kind === 'ACCEPTED' ? { ...event, text: '' } : event));
}
