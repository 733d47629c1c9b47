import { Alert, Skeleton, Stepper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useStream } from '../../live/use-stream.ts';
import { formatTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { ConferenceState } from './conference-state.tsx';
import { type ConferenceRowFragment, OpenConferenceDocument, type OpenConferenceSubscription } from './conferences.generated.ts';
import styles from './conferences.module.css';
import { Legs } from './legs.tsx';
import { JoinConferenceDocument } from './target.generated.ts';
import { type Target, TargetModal } from './target-modal.tsx';

/** How a supervisor can join on their own phone. */
const OWN_PARTS = ['LISTEN', 'WHISPER', 'BARGE'] as const;

/** One conference: its steps, its participants, and the supervisor's actions. */
export function ConferencePanel({ id }: { id: string }) {
  const { state: conference, error } = useStream(OpenConferenceDocument, { variables: { id }, initial: null, reduce: latest });
  if (error) return <Notice error={error} />;
  return conference ? <Open conference={conference} /> : <Skeleton height={260} />;
}

function Open({ conference }: { conference: ConferenceRowFragment }) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [asked, setAsked] = useState<Target | null>(null);
  const { databaseId, status, requestId, attempt, legs, memberCount } = conference;
  const disabledReason = status === 'LIVE' ? null : t(`conferenceStatus.${status}`);
  return (
    <>
      <ConferenceState {...conference} /> · {t('conferences.member', { count: memberCount })}
      <Steps conference={conference} />
      {status !== 'ENDED' && (
        <div className={styles.acts} role="toolbar" aria-label={t('live.acts')}>
          {OWN_PARTS.map(mode => (
            <ActButton
              key={mode}
              size="compact-sm"
              variant="default"
              loading={isBusy}
              reason={disabledReason}
              act={() => void run(JoinConferenceDocument, { conferenceId: databaseId, input: { mode } }, t(`acts.done.${mode}`))}
            >
              {t(`callAct.${mode}`)}
            </ActButton>
          ))}
          <ActButton size="compact-sm" variant="default" reason={disabledReason} act={() => setAsked('BLIND')}>
            {t('callAct.TRANSFER')}
          </ActButton>
        </div>
      )}
      {refused && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {refused}
        </Alert>
      )}
      <Title order={3} mt="md">
        {t('conferences.people')}
      </Title>
      <Legs legs={legs} conferenceId={databaseId} changed={() => {}} />
      <Text mt="md">
        {status !== 'ENDED' && requestId && <Link to={`/live?call=request:${requestId}`}>{t('live.openCall')}</Link>}
        {status === 'ENDED' && attempt && <Link to={`/calls/${attempt.databaseId}`}>{t('live.toCall')}</Link>}
      </Text>
      <TargetModal asked={asked} conferenceId={databaseId} close={() => setAsked(null)} />
    </>
  );
}

/** Steps from the request to the end, each with its time. */
function Steps({ conference: { createdAt, answeredAt, endedAt, endCause, customerState } }: { conference: ConferenceRowFragment }) {
  const { t } = useTranslation();
  const isIn = customerState === 'INSIDE' || customerState === 'ASIDE' || (customerState === 'GONE' && answeredAt !== null);
  const reached = endedAt ? 4 : isIn ? 3 : answeredAt ? 2 : 1;
  return (
    <Stepper active={reached} size="xs" my="md" orientation="vertical" iconSize={22} aria-label={t('conferences.steps')}>
      <Stepper.Step label={t('conferences.step.asked')} description={formatTime(createdAt)} />
      <Stepper.Step label={t('conferences.step.answered')} description={answeredAt && formatTime(answeredAt)} />
      <Stepper.Step label={t('conferences.step.joined')} description={t(`customerState.${customerState}`)} />
      <Stepper.Step
        label={t('conferences.step.ended')}
        description={endedAt && `${formatTime(endedAt)} ${endCause ? t('conferences.cause', { cause: endCause }) : ''}`}
      />
    </Stepper>
  );
}

function latest(before: ConferenceRowFragment | null, { conference: event }: OpenConferenceSubscription): ConferenceRowFragment | null {
  return 'conference' in event ? event.conference : before;
}
