import { Group, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatSeconds } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import type { CallQuery } from './call.generated.ts';
import styles from './call.module.css';
import { CallbackButton } from '../callbacks/callback-button.tsx';
import { NeverCallOfCallButton, useListingDisabledReason } from '../dispositions/never-call-button.tsx';
import { HangupCause, useWhoHungUp } from './call-words.tsx';
import { RecordingFact } from './recording-state.tsx';

/** Other facts about the call. */
export function CallFacts({ call }: { call: NonNullable<CallQuery['attempt']> }) {
  const { t } = useTranslation();
  const { campaign, line, script } = call;
  const whoHungUp = useWhoHungUp();
  const callKey = `attempt:${call.databaseId}`;
  const reason = useListingDisabledReason(call.mayDispose);
  const people = new Set(call.timeline.filter(({ kind }) => kind === 'JOINED').map(({ text }) => text));
  const facts: Fact[] = [
    [t('calls.campaign'), campaign && <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link>],
    [t('calls.startedAt'), call.startedAt && <Instant key="at" at={call.startedAt} />],
    [t('calls.answeredAt'), call.answeredAt && <Instant key="at" at={call.answeredAt} />],
    [t('calls.endedAt'), call.endedAt && <Instant key="at" at={call.endedAt} />],
    [t('calls.duration'), call.answeredAt && call.durationSeconds !== null && formatSeconds(call.durationSeconds)],
    [t('calls.hangupBy'), whoHungUp(call)],
    [t('calls.hangupCause'), call.hangupCause && <HangupCause cause={call.hangupCause} />],
    [t('call.people'), [...people].join(t('taker.comma'))],
    [t('call.recording'), call.recordingState !== 'NONE' && <RecordingFact key="recording" call={call} />],
    [t('calls.line'), line?.name],
    [t('calls.caller'), call.callerNumber && formatPhone(call.callerNumber)],
    [t('calls.cell'), call.cellId],
    [t('calls.script'), script && `${script.name} v${call.scriptVersion}`],
    [t('calls.requestId'), call.requestId],
  ];
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('call.facts')}>
      <Title order={2} mb="sm">
        {t('call.facts')}
      </Title>
      <Facts facts={facts} />
      <Group mt="sm">
        {campaign && call.contact && (
          <CallbackButton
            campaignId={campaign.databaseId}
            contactId={call.contact.databaseId}
            title={`${formatPhone(call.phoneNumber)} ${call.contact.customerName}`}
          />
        )}
        <NeverCallOfCallButton size="xs" variant="default" callKey={callKey} number={call.phoneNumber} reason={reason} />
      </Group>
    </section>
  );
}
