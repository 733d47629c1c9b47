import { useApolloClient, useQuery } from '@apollo/client/react';
import { Badge, Group, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useMe } from '../../api/me.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { formatPhone } from '../../text/phone-number.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { personPath } from '../../ui/person-path.ts';
import { usePermissionMissing } from '../../ui/use-disabled-reason.ts';
import { CallDocument, type CallQuery } from './call.generated.ts';
import styles from './call.module.css';
import { Acts, useActs } from './call-acts.tsx';
import { CallDispositions } from './call-dispositions.tsx';
import { CallFacts } from './call-facts.tsx';
import { Why } from './call-why.tsx';
import { CallResult } from './call-result.tsx';
import { CallOutcome, isOpenCall } from './call-words.tsx';
import { StepByStep } from './steps.tsx';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { usePlayer } from './use-player.ts';

/** Refresh interval of a call that has not ended, in ms. */
const LOOK_MS = 3_000;
/** Permission that the server requires for a recording. */
const HEARS = 'campaign:dispatch';

/** One call: why it ended, its timeline, its transcript and recording, and who looked at it. */
export function CallPage() {
  const { id = '' } = useParams();
  const { may } = useMe();
  const hears = may(HEARS);
  const { cache } = useApolloClient();
  const variables = { id, hears: hears === true };
  const { data, error } = useQuery(CallDocument, {
    variables,
    skip: hears === undefined,
    pollInterval: LOOK_MS,
    skipPollAttempt: () => isOver(cache.readQuery({ query: CallDocument, variables })),
  });
  const call = data?.attempt;
  if (call) return <Shown key={call.id} call={call} hears={hears === true} />;
  if (error) return <Notice error={error} />;
  return data ? <NotFoundPage /> : <Skeleton height={400} />;
}

function Shown({ call, hears }: { call: NonNullable<CallQuery['attempt']>; hears: boolean }) {
  const { t } = useTranslation();
  const { may } = useMe();
  const url = call.recording?.url ?? null;
  const player = usePlayer(url);
  const mayRead = may('audit:read') === true;
  const acts = useActs(call, mayRead);
  const lacks = usePermissionMissing();
  const reason = url !== null ? null : hears ? t(whyUnheard(call)) : `${t('call.mayNotHear')} ${lacks(HEARS)}`;
  return (
    <>
      <title>{`${formatPhone(call.phoneNumber)} · Callout`}</title>
      <Group mb="sm" gap="sm" align="baseline">
        <PageHeading>
          <Link to={personPath(call.phoneNumber)} title={t('call.person')}>
            {formatPhone(call.phoneNumber)}
          </Link>
        </PageHeading>
        <Text>{call.contact?.customerName}</Text>
        <CallOutcome {...call} />
        {call.isTest && (
          <Badge color="violet" variant="light" title={t('testCall.tagAbout')}>
            {t('testCall.tag')}
          </Badge>
        )}
      </Group>
      <Why call={call} />
      <PageTabs
        label={t('call.views')}
        tabs={[
          {
            key: 'call',
            label: t('call.view'),
            content: (
              <div className={styles.columns}>
                <Timeline call={call} />
                <Transcript call={call} player={player} reason={reason} />
                <div className={styles.side}>
                  <CallResult call={call} className={`sheet ${styles.sheet}`} />
                  <CallFacts call={call} />
                  <CallDispositions call={call} />
                  {mayRead && <Acts {...acts} />}
                </div>
              </div>
            ),
          },
          { key: 'steps', label: t('steps.title'), content: <StepByStep databaseId={call.databaseId} isOpen={isOpenCall(call)} /> },
        ]}
      />
    </>
  );
}

/** Why there is nothing to hear. */
function whyUnheard(call: NonNullable<CallQuery['attempt']>): string {
  if (isOpenCall(call)) return 'call.notYet';
  return call.recordingState === 'REMOVED' ? 'call.recordingRemoved' : 'call.noRecording';
}

function isOver(data: CallQuery | null): boolean {
  return Boolean(data?.attempt && !isOpenCall(data.attempt));
}
