import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Button, Skeleton, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ContactCallback } from '../callbacks/contact-callback.tsx';
import { HangupCause } from '../calls/call-words.tsx';
import { AgentCallStatus } from './agent-call-status.tsx';
import { AgentCallDocument, type AgentCallQuery, EndSessionDocument } from './agent-calls.generated.ts';

/** Refresh interval while the call goes on, in ms. */
const LOOK_MS = 3_000;
const OVER = ['COMPLETED', 'FAILED'];

type Detail = NonNullable<AgentCallQuery['softphoneCall']>;
type Call = Detail['call'];

interface AgentCallDrawerProps {
  id: string | null;
  close: () => void;
  changed: () => void;
}

/** One call of an agent: its course, its participants and its transcript; its session can be ended. */
export function AgentCallDrawer({ id, close, changed }: AgentCallDrawerProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(AgentCallDocument, { variables: { id: id ?? '' }, skip: id === null, pollInterval: LOOK_MS });
  const detail = data?.softphoneCall;
  const over = () => {
    void refetch();
    changed();
  };
  return (
    <SideDrawer isOpen={id !== null} close={close} title={detail ? t(`softphoneDirection.${detail.call.direction}`) : t('agentCalls.one')}>
      {error && <Notice error={error} />}
      {!data && !error && <Skeleton height={200} />}
      {data && !detail && <Text>{t('agentCalls.gone')}</Text>}
      {detail && (
        <>
          {detail.call.failureReason && (
            <Alert color="red" mb="md">
              {detail.call.failureReason}
            </Alert>
          )}
          <CallFacts call={detail.call} />
          {detail.call.direction === 'SESSION' && <EndSession call={detail.call} over={over} />}
          <PromiseCallback call={detail.call} />
          <Legs legs={detail.call.legs} />
          <Said transcript={detail.transcript} />
        </>
      )}
    </SideDrawer>
  );
}

function CallFacts({ call }: { call: Call }) {
  const { t } = useTranslation();
  return (
    <Facts
      facts={[
        [t('agentCalls.status'), <AgentCallStatus key="status" status={call.status} />],
        [t('calls.agent'), call.agent?.name],
        [t('contacts.number'), formatPhone(call.phoneNumber)],
        [t('calls.campaign'), call.campaign && <Link to={`/campaigns/${call.campaign.databaseId}`}>{call.campaign.name}</Link>],
        [t('agentCalls.continues'), call.attemptId && <Link to={`/calls/${call.attemptId}`}>{t('agentCalls.openCall')}</Link>],
        [t('calls.outcome'), call.callStatus && t(`callStatus.${call.callStatus}`)],
        [t('calls.answeredAt'), call.answeredAt && <Instant key="at" at={call.answeredAt} />],
        [t('calls.endedAt'), call.endedAt && <Instant key="at" at={call.endedAt} />],
        [t('calls.hangupBy'), call.hangupBy && t(`hangupBy.${call.hangupBy}`)],
        [t('calls.hangupCause'), call.hangupCause && <HangupCause key="cause" cause={call.hangupCause} />],
        [t('calls.caller'), call.callerNumber && formatPhone(call.callerNumber)],
        [t('agentCalls.note'), call.note],
      ]}
    />
  );
}

/** The agent promises the customer another call, during this one or after it. */
function PromiseCallback({ call: { campaignId, contactId } }: { call: Call }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (campaignId === null || contactId === null) return null;
  if (isOpen) return <ContactCallback campaignId={campaignId} contactId={contactId} close={() => setOpen(false)} />;
  return (
    <Button variant="default" mt="sm" onClick={() => setOpen(true)}>
      {t('contacts.callback')}
    </Button>
  );
}

function EndSession({ call: { sessionId, status }, over }: { call: Call; over: () => void }) {
  const { t } = useTranslation();
  const [end] = useMutation(EndSessionDocument);

  async function run(): Promise<string | null> {
    const result = (await end({ variables: { sessionId: sessionId ?? '' } })).data?.result;
    if (isRefusal(result)) return result.message;
    sayDone(t('agentCalls.ended'));
    over();
    return null;
  }

  return (
    <ConfirmButton
      variant="light"
      color="red"
      reason={OVER.includes(status) || sessionId === null ? t('agentCalls.isOver') : null}
      title={t('agentCalls.endTitle')}
      warning={t('agentCalls.endLoses')}
      act={run}
    >
      {t('agentCalls.end')}
    </ConfirmButton>
  );
}

function Legs({ legs }: { legs: Call['legs'] }) {
  const { t } = useTranslation();
  if (legs.length === 0) return null;
  return (
    <Table mt="md" aria-label={t('agentCalls.legs')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('agentCalls.who')}</Table.Th>
          <Table.Th>{t('agentCalls.status')}</Table.Th>
          <Table.Th>{t('calls.answeredAt')}</Table.Th>
          <Table.Th>{t('calls.endedAt')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {legs.map(({ role, callUuid, status, answeredAt, endedAt, hangupCause, agent }) => (
          <Table.Tr key={callUuid}>
            <Table.Td>{agent?.name ?? t(`softphoneLegRole.${role}`)}</Table.Td>
            <Table.Td>
              {t(`softphoneLegStatus.${status}`)} {hangupCause && <HangupCause cause={hangupCause} />}
            </Table.Td>
            <Table.Td>{answeredAt && <Instant at={answeredAt} isOfDay />}</Table.Td>
            <Table.Td>{endedAt && <Instant at={endedAt} isOfDay />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Said({ transcript }: { transcript: Detail['transcript'] }) {
  const { t } = useTranslation();
  if (transcript.length === 0) return null;
  return (
    <Table mt="md" aria-label={t('agentCalls.said')}>
      <Table.Tbody>
        {transcript.map(({ speaker, text, at }) => (
          <Table.Tr key={`${at} ${text}`}>
            <Table.Td className="quiet">
              <Instant at={at} isOfDay />
            </Table.Td>
            <Table.Td>{t(`speaker.${speaker}`)}</Table.Td>
            <Table.Td>{text}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
