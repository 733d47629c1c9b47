import { useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { Legs } from '../conferences/legs.tsx';
import { ClaimCallDocument, JoinConferenceDocument } from '../conferences/target.generated.ts';
import { type Target, TargetModal } from '../conferences/target-modal.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useMe } from '../../api/me.ts';
import { ActGroup } from './act-group.tsx';
import { CancelClaimDocument, ReleaseCallDocument } from './acts.generated.ts';
import { CallActionsDocument } from './call-panel.generated.ts';
import { HangUpButton } from './hang-up-button.tsx';
import { MoreActs } from './more-acts.tsx';
import type { OpenCall } from './open-call.ts';
import { Taker } from './taker.tsx';
import { useCallDisabledReason } from './use-call-disabled-reason.ts';

/** Refresh interval in ms of what the call's events do not carry: the agent's status and the participants of a conference. */
const LOOK_MS = 3_000;

/** Actions on a call that has not ended, each with a shortcut key; a disabled action says why. */
export function ActBar({ call }: { call: OpenCall }) {
  const { t } = useTranslation();
  const isSupervisor = useMe().may('campaign:dispatch') === true;
  const { id, callKey, status, intervention, monitorAssignment } = call;
  const variables = { id, isSupervisor };
  const { data, refetch } = useQuery(CallActionsDocument, { variables, pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  const { run, isBusy, refused } = useAct();
  const [asked, setAsked] = useState<Target | null>(null);
  const stage = [status, intervention?.status, monitorAssignment?.userId].join();
  useEffect(() => void refetch(), [refetch, stage]);
  const known = data?.node?.__typename === 'LiveCall' ? data.node : null;
  const conferenceId = known?.conferenceId ?? '';
  const disabledReasonOf = useCallDisabledReason(call);
  const reasonOf = (name: string) => (known ? disabledReasonOf(known.actions, name) : t('acts.unknown'));

  const claim = (when: 'NOW' | 'BOUNDARY') => void run(ClaimCallDocument, { callKey, when, agentId: null }, t('acts.claimed'));
  const join = (mode: 'LISTEN' | 'WHISPER' | 'BARGE') =>
    void run(JoinConferenceDocument, { conferenceId, input: { mode } }, t(`acts.done.${mode}`)).then(() => refetch());
  const cancel = () => void run(CancelClaimDocument, { callKey }, t('acts.done.CANCEL_CLAIM'));
  const release = () => void run(ReleaseCallDocument, { callKey }, t('acts.done.RELEASE'));
  const given = (name: string) => ({ size: 'compact-sm', variant: 'default', color: 'violet', reason: reasonOf(name) }) as const;
  const claiming = { ...given('CLAIM'), variant: 'filled', loading: isBusy } as const;

  return (
    <div role="toolbar" aria-label={t('live.acts')}>
      <ActGroup label={t('actGroup.claim')} note={reasonOf('CLAIM') === null && <Taker />}>
        <ActButton {...claiming} shortcut="C" act={() => claim('NOW')}>
          {t('callAct.CLAIM')}
        </ActButton>
        <ActButton {...claiming} shortcut="B" act={() => claim('BOUNDARY')}>
          {t('callAct.CLAIM_BOUNDARY')}
        </ActButton>
        <ActButton {...given('ASSIGN')} shortcut="S" act={() => setAsked('ASSIGN')}>
          {t('callAct.ASSIGN')}
        </ActButton>
      </ActGroup>
      <ActGroup label={t('actGroup.supervise')}>
        <ActButton {...given('LISTEN')} shortcut="L" act={() => join('LISTEN')}>
          {t('callAct.LISTEN')}
        </ActButton>
        <ActButton {...given('WHISPER')} shortcut="W" act={() => join('WHISPER')}>
          {t('callAct.WHISPER')}
        </ActButton>
        <ActButton {...given('BARGE')} shortcut="O" act={() => join('BARGE')}>
          {t('callAct.BARGE')}
        </ActButton>
      </ActGroup>
      <ActGroup label={t('actGroup.handle')}>
        <ActButton {...given('TRANSFER')} shortcut="T" act={() => setAsked('BLIND')}>
          {t('callAct.TRANSFER')}
        </ActButton>
        <HangUpButton call={call} reason={reasonOf('HANG_UP')} />
        <MoreActs
          acts={[
            { name: 'CONSULT', shortcut: 'N', reason: reasonOf('CONSULT'), act: () => setAsked('CONSULT') },
            { name: 'RELEASE', shortcut: 'R', reason: reasonOf('RELEASE'), act: release },
            { name: 'CANCEL_CLAIM', shortcut: 'X', reason: reasonOf('CANCEL_CLAIM'), act: cancel },
          ]}
        />
      </ActGroup>
      {refused && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {refused}
        </Alert>
      )}
      {known?.conference && <Legs legs={known.conference.legs} conferenceId={conferenceId} changed={() => void refetch()} />}
      {!isSupervisor && conferenceId && <Text size="xs">{t('live.inConference')}</Text>}
      <TargetModal asked={asked} callKey={callKey} conferenceId={conferenceId} close={() => setAsked(null)} />
    </div>
  );
}
