import { useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOver } from '../../live/call-order.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Legs } from '../../parts/legs.tsx';
import { ClaimCallDocument, JoinConferenceDocument } from '../../parts/target.generated.ts';
import { type Target, TargetModal } from '../../parts/target-modal.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useMe } from '../../shell/me.ts';
import { CallActionsDocument, type CallActionsQuery } from './call-panel.generated.ts';
import { CancelClaimDocument, ReleaseCallDocument } from './acts.generated.ts';
import { HangUpButton } from './hang-up-button.tsx';
import type { OpenCall } from './open-call.ts';
import styles from './live.module.css';

export type CallActions = Extract<NonNullable<CallActionsQuery['node']>, { __typename: 'LiveCall' }>;

/** What the call's events do not tell, an agent's status and a conference's people, is looked at this often, ms. */
const LOOK_MS = 3_000;

/** What can be done with the call: each one click and one key, and what may not be done says why. */
export function ActBar({ call }: { call: OpenCall }) {
  const { t } = useTranslation();
  const isSupervisor = useMe().may('campaign:dispatch') === true;
  const { id, callKey, status, intervention, monitorAssignment } = call;
  const variables = { id, isSupervisor };
  const { data, refetch } = useQuery(CallActionsDocument, {
    variables,
    pollInterval: isOver(call) ? 0 : LOOK_MS,
    fetchPolicy: 'network-only',
  });
  const { run, isBusy, refused } = useAct();
  const [asked, setAsked] = useState<Target | null>(null);
  const stage = [status, intervention?.status, monitorAssignment?.userId].join();
  useEffect(() => void refetch(), [refetch, stage]);
  const known = data?.node?.__typename === 'LiveCall' ? data.node : null;
  const conferenceId = known?.conferenceId ?? '';
  const reasonOf = (name: string) => reasonIn(known, name) ?? (known ? null : t('acts.unknown'));

  const join = (mode: 'LISTEN' | 'WHISPER' | 'BARGE') =>
    void run(JoinConferenceDocument, { conferenceId, input: { mode } }, t(`acts.done.${mode}`)).then(() => refetch());
  const acts = [
    { name: 'CLAIM', label: 'CLAIM', shortcut: 'C', act: () => claim('NOW') },
    { name: 'CLAIM', label: 'CLAIM_BOUNDARY', shortcut: 'B', act: () => claim('BOUNDARY') },
    { name: 'ASSIGN', label: 'ASSIGN', shortcut: 'S', act: () => setAsked('ASSIGN') },
    {
      name: 'CANCEL_CLAIM',
      label: 'CANCEL_CLAIM',
      shortcut: 'X',
      act: () => void run(CancelClaimDocument, { callKey }, t('acts.done.CANCEL_CLAIM')),
    },
    { name: 'RELEASE', label: 'RELEASE', shortcut: 'R', act: () => void run(ReleaseCallDocument, { callKey }, t('acts.done.RELEASE')) },
    { name: 'TRANSFER', label: 'TRANSFER', shortcut: 'T', act: () => setAsked('BLIND') },
    { name: 'CONSULT', label: 'CONSULT', shortcut: 'N', act: () => setAsked('CONSULT') },
    { name: 'LISTEN', label: 'LISTEN', shortcut: 'L', act: () => join('LISTEN') },
    { name: 'WHISPER', label: 'WHISPER', shortcut: 'W', act: () => join('WHISPER') },
    { name: 'BARGE', label: 'BARGE', shortcut: 'O', act: () => join('BARGE') },
  ];

  function claim(when: 'NOW' | 'BOUNDARY', agentId: string | null = null): void {
    void run(ClaimCallDocument, { callKey, when, agentId }, t('acts.claimed'));
  }

  return (
    <div role="toolbar" aria-label={t('live.acts')}>
      <div className={styles.acts}>
        {acts.map(({ name, label, shortcut, act }) => (
          <ActButton
            key={label}
            size="compact-sm"
            variant={name === 'CLAIM' ? 'filled' : 'default'}
            color="violet"
            act={act}
            reason={reasonOf(name)}
            shortcut={shortcut}
            loading={isBusy && name === 'CLAIM'}
          >
            {t(`callAct.${label}`)}
          </ActButton>
        ))}
        <HangUpButton call={call} reason={reasonOf('HANG_UP')} />
      </div>
      {refused && (
        <Alert color="red" role="alert" p="xs" mt="xs">
          {refused}
        </Alert>
      )}
      {known?.conference && <Legs legs={known.conference.legs} conferenceId={conferenceId} changed={() => void refetch()} />}
      {!isSupervisor && !isOver(call) && conferenceId && <Text size="xs">{t('live.inConference')}</Text>}
      <TargetModal asked={asked} callKey={callKey} conferenceId={conferenceId} close={() => setAsked(null)} />
    </div>
  );
}

function reasonIn(known: CallActions | null, name: string): string | null {
  const action = known?.actions.find(each => each.name === name);
  return action && !action.allowed ? (action.message ?? '') : null;
}
