import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime, formatSeconds } from '../../text/format.ts';
import type { CallQuery } from './call.generated.ts';
import styles from './call.module.css';

/** What else is known of the call. */
export function Facts({ call }: { call: NonNullable<CallQuery['attempt']> }) {
  const { t } = useTranslation();
  const { campaign, line, script } = call;
  const rows: [name: string, value: Exclude<ReactNode, Promise<unknown>>][] = [
    ['campaign', campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
    ['startedAt', call.startedAt && formatDateTime(call.startedAt)],
    ['answeredAt', call.answeredAt && formatDateTime(call.answeredAt)],
    ['endedAt', call.endedAt && formatDateTime(call.endedAt)],
    ['duration', call.answeredAt && call.durationSeconds !== null && formatSeconds(call.durationSeconds)],
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
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.facts')}>
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
