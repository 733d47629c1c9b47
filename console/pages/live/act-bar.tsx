import { useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { formatTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { type Action, useActionDisabledReason } from '../../ui/use-disabled-reason.ts';
import { Legs } from '../conferences/legs.tsx';
import { ClaimCallDocument, JoinConferenceDocument } from '../conferences/target.generated.ts';
import { type Target, TargetModal } from '../conferences/target-modal.tsx';
import { CancelClaimDocument, ReleaseCallDocument } from './acts.generated.ts';
import { CallActionsDocument, TakersDocument } from './call-panel.generated.ts';
import { HangUpButton } from './hang-up-button.tsx';
import styles from './live.module.css';
import { MoreActs } from './more-acts.tsx';
import type { OpenCall } from './open-call.ts';

/** Refresh interval in ms of what the call's events do not carry: the status of agents and the participants of a conference. */
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

interface ActGroupProps {
  label: string;
  /** Note that the user should read before pressing. */
  note?: ReactNode;
  children: ReactNode;
}

/** Actions of one kind in a row after their label. */
function ActGroup({ label, note, children }: ActGroupProps) {
  return (
    <div className={styles.actGroup} role="group" aria-label={label}>
      <span className="quiet" aria-hidden>
        {label}
      </span>
      <div className={styles.acts}>{children}</div>
      {note && <div className={styles.actNote}>{note}</div>}
    </div>
  );
}

/** Most names shown; the others are counted. */
const NAMED = 3;

/** Phone that rings when the user takes the call over: the user's own, else an idle agent's. */
function Taker() {
  const { t } = useTranslation();
  const { data } = useQuery(TakersDocument, { pollInterval: LOOK_MS, fetchPolicy: 'network-only' });
  if (!data) return null;
  const free = data.agents ?? [];
  const mine = free.find(({ databaseId }) => databaseId === data.myAgent?.databaseId);
  if (mine) return t('taker.mine', { name: mine.name, phone: mine.phoneExtension });
  const none = t(data.myAgent ? 'taker.notReady' : 'taker.noPhone');
  const [first] = free;
  if (!first) return <span className="tone-waiting">{none + t('taker.nobody')}</span>;
  if (free.length === 1) return none + t('taker.one', { name: first.name });
  const names = free.slice(0, NAMED).map(({ name }) => name);
  return none + t('taker.some', { count: free.length, names: names.join(t('taker.comma')), more: free.length > NAMED ? ' …' : '' });
}

interface CallAction extends Action {
  /** Reason code of the schema. */
  reason: string | null;
}

/** Why an action on the call is disabled: another user's name and since when, where a user is the cause, and what helps. */
function useCallDisabledReason(call: OpenCall): (actions: readonly CallAction[], name: string) => string | null {
  const { t, i18n } = useTranslation();
  const { may } = useMe();
  const disabledReasonOf = useActionDisabledReason();
  return (actions, name) => {
    const found = actions.find(action => action.name === name);
    // A missing permission needs another explanation than a state of the call.
    if (!found?.reason || may(found.needs) === false) return disabledReasonOf(actions, name);
    const { who, since } = OTHERS[found.reason]?.(call) ?? {};
    const isSomebody = found.reason in OTHERS;
    const key = [`live.whyNot.${name}.${found.reason}`, `live.whyNot.${found.reason}`].find(each => i18n.exists(each));
    if (!key || (isSomebody && !(who && since))) return disabledReasonOf(actions, name);
    return t(key, { who, at: since && formatTime(since) });
  };
}

interface Other {
  who: string | undefined;
  since: string | null | undefined;
}

/** The other user, by reason code. */
const OTHERS: Readonly<Record<string, (call: OpenCall) => Other>> = {
  WATCHED_BY_ANOTHER: ({ monitorAssignment: monitor }) => ({ who: monitor?.displayName, since: monitor?.assignedAt }),
  ALREADY_CLAIMED: ({ intervention }) => ({ who: intervention?.initiator?.displayName, since: intervention?.requestedAt }),
  ALREADY_ANSWERED: ({ intervention }) => ({ who: intervention?.agent?.name, since: intervention?.consumedAt }),
};
