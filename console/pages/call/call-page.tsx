import { useQuery } from '@apollo/client/react';
import { Alert, Group, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { CallOutcome } from '../../parts/call-outcome.tsx';
import { Notice } from '../../parts/notice.tsx';
import { formatDateTime, formatSeconds, formatTime } from '../../text/format.ts';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { CallDocument, type CallQuery } from './call.generated.ts';
import styles from './call.module.css';

type Call = NonNullable<CallQuery['attempt']>;

/** An open call is looked at again this often, ms. */
const LOOK_MS = 3_000;

/** One call: what happened when, what was said, and how it ended. */
export function CallPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, loading } = useQuery(CallDocument, { variables: { id }, pollInterval: LOOK_MS });
  const call = data?.attempt;
  if (!call) return error ? <Notice error={error} /> : loading ? <Skeleton height={400} /> : <NotFoundPage />;
  return (
    <>
      <title>{`${call.phoneNumber} · Callout`}</title>
      <Group mb="sm" gap="sm">
        <Title order={1}>{call.phoneNumber}</Title>
        <Text>{call.contact?.customerName}</Text>
        <CallOutcome {...call} />
        {call.durationSeconds !== null && <Text className="quiet">{formatSeconds(call.durationSeconds)}</Text>}
      </Group>
      {call.resultMissing && (
        <Alert color="yellow" mb="sm">
          {t('call.resultMissing')}
        </Alert>
      )}
      <div className={styles.columns}>
        <Timeline events={call.timeline} />
        <Transcript segments={call.transcript} />
        <Facts call={call} />
      </div>
    </>
  );
}

function Timeline({ events }: { events: Call['timeline'] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {t('call.timeline')}
      </Title>
      <ol className={styles.timeline}>
        {events
          .filter(({ kind }) => kind !== 'SEGMENT')
          .map(({ at, kind, text }, index) => (
            // Events of a call are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles[kind]}>
              <time dateTime={at} className="quiet">
                {formatTime(at)}
              </time>
              <span>
                {t(`callEvent.${kind}`)}
                {text && <Text size="xs">{text}</Text>}
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
}

function Transcript({ segments }: { segments: Call['transcript'] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('call.transcript')}
      </Title>
      {segments.length === 0 && <Text className="quiet">{t('call.nothingSaid')}</Text>}
      {segments.map(({ segmentId, speaker, text, startMs }) => (
        <div key={segmentId} className={`${styles.said} ${styles[speaker] ?? ''}`}>
          <span className={`quiet ${styles.speaker}`}>
            {t(`speaker.${speaker}`)} {startMs !== null && formatSeconds(startMs / 1000)}
          </span>
          <div>{text}</div>
        </div>
      ))}
    </section>
  );
}

function Facts({ call }: { call: Call }) {
  const { t } = useTranslation();
  const { campaign, line, script } = call;
  const rows: [name: string, value: Exclude<ReactNode, Promise<unknown>>][] = [
    ['campaign', campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
    ['startedAt', call.startedAt && formatDateTime(call.startedAt)],
    ['answeredAt', call.answeredAt && formatDateTime(call.answeredAt)],
    ['endedAt', call.endedAt && formatDateTime(call.endedAt)],
    ['hangupBy', call.hangupBy && t(`hangupBy.${call.hangupBy}`)],
    ['hangupCause', call.hangupCause],
    ['classification', call.classification],
    ['intent', call.intent],
    ['line', line?.name],
    ['caller', call.callerNumber],
    ['cell', call.cellId],
    ['script', script && `${script.name} v${call.scriptVersion}`],
    ['requestId', call.requestId],
  ];
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('call.facts')}
      </Title>
      <dl className={styles.facts}>
        {rows
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => [<dt key={name}>{t(`calls.${name}`)}</dt>, <dd key={`${name} value`}>{value}</dd>])}
      </dl>
    </section>
  );
}
