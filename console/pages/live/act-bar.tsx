import { Alert, Badge, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { Legs } from '../conferences/legs.tsx';
import { ClaimCallDocument, JoinConferenceDocument } from '../conferences/target.generated.ts';
import { type Target, TargetModal } from '../conferences/target-modal.tsx';
import { CancelClaimDocument, ListenToCallDocument, ReleaseCallDocument } from './acts.generated.ts';
import { GuideActs } from './guide-acts.tsx';
import { HandBackButton } from './hand-back-button.tsx';
import { HangUpButton } from './hang-up-button.tsx';
import { type Hearing, hearingOf } from './listening.ts';
import styles from './live.module.css';
import { MeetingActs } from './meeting-acts.tsx';
import { MoreActs } from './more-acts.tsx';
import type { OpenCall } from './open-call.ts';
import type { PartStage } from './part-in-call.ts';
import { Listener, ownPhone, Taker } from './taker.tsx';
import { useCallActions } from './use-call-actions.ts';
import { useExplained } from './use-explained.ts';

type Timing = 'NOW' | 'BOUNDARY';

const HEARINGS = [
  { mode: 'LISTEN', shortcut: 'L' },
  { mode: 'WHISPER', shortcut: 'W' },
  { mode: 'BARGE', shortcut: 'O' },
] as const;

/** Actions on a call that has not ended, each with a shortcut key; a disabled action says why. */
export function ActBar({ call, handedBack }: { call: OpenCall; handedBack: () => void }) {
  const { t } = useTranslation();
  const { may, user } = useMe();
  const isSupervisor = may('campaign:dispatch') === true;
  const { callKey } = call;
  const { known, takers, refetch, reasonOf, stage, has } = useCallActions(call, isSupervisor);
  const bar = useRef<HTMLDivElement>(null);
  const reasons = known ? known.actions.map(({ name }) => reasonOf(name)) : [reasonOf('')];
  const { explained, explain, forget } = useExplained(callKey, { isKnown: known !== null, reasons, bar });
  const { run, isBusy, refused } = useAct();
  const [asked, setAsked] = useState<Target | null>(null);
  const conferenceId = known?.conferenceId ?? '';

  const mine = ownPhone(takers);
  const [timing, setTiming] = useState<Timing>('BOUNDARY');

  // Without a phone of one's own nobody else is rung unasked; where nobody is free there is nothing to choose.
  const isChosen = isSupervisor && mine === null && takers?.agents?.length;
  const claim = (when: Timing) =>
    !isChosen ? void run(ClaimCallDocument, { callKey, when, agentId: null }, t('acts.claimed')) : choose(when);
  const choose = (when: Timing) => {
    setTiming(when);
    setAsked('ASSIGN');
  };
  const hearing = hearingOf(call, known, { takers, userId: user?.databaseId ?? '' });
  // Without an agent in the call the phone listens to the bot; pressed again, it no longer does.
  const join = (mode: Hearing) => {
    const next = hearing === mode || mode === 'WHISPER' ? 'OFF' : mode;
    const done = conferenceId
      ? run(JoinConferenceDocument, { conferenceId, input: { mode } }, t(`acts.done.${mode}`))
      : run(ListenToCallDocument, { callKey, mode: next }, t(`acts.done.${next}`));
    void done.then(() => refetch());
  };
  const cancel = () => void run(CancelClaimDocument, { callKey }, t('acts.done.CANCEL_CLAIM'));
  const release = () => void run(ReleaseCallDocument, { callKey }, t('acts.done.RELEASE'));
  const given = (name: string) => ({ size: 'compact-sm', variant: 'default', color: 'violet', reason: reasonOf(name), explain }) as const;
  const heard = (mode: Hearing) =>
    ({ ...given(mode), isPressed: hearing === mode, variant: hearing === mode ? 'filled' : 'default' }) as const;
  const claiming = { ...given('CLAIM'), variant: 'filled', loading: isBusy } as const;

  return (
    // The explanation of the button that was pressed before is forgotten.
    // oxlint-disable-next-line jsx_a11y/click-events-have-key-events
    <div ref={bar} role="toolbar" aria-label={t('live.acts')} onClickCapture={forget}>
      {has('CLAIM') && (
        <ActGroup label={t('actGroup.claim')} note={reasonOf('CLAIM') === null && <Taker takers={takers} />}>
          <ActButton {...claiming} shortcut="C" act={() => claim('NOW')}>
            {t('callAct.CLAIM')}
          </ActButton>
          <ActButton {...claiming} shortcut="B" act={() => claim('BOUNDARY')}>
            {t('callAct.CLAIM_BOUNDARY')}
          </ActButton>
          {has('ASSIGN') && (
            <ActButton {...given('ASSIGN')} shortcut="S" act={() => choose('BOUNDARY')}>
              {t('callAct.ASSIGN')}
            </ActButton>
          )}
        </ActGroup>
      )}
      <ActGroup label={t('actGroup.bot')} note={(reasonOf('HINT') ?? reasonOf('SAY')) === null && t('guide.bot')}>
        <GuideActs callKey={callKey} reasonOf={reasonOf} explain={explain} />
        <HandBackButton call={call} handedBack={handedBack} reason={reasonOf('HAND_BACK')} explain={explain} />
      </ActGroup>
      {has('LISTEN') && (
        <ActGroup label={t('actGroup.supervise')} note={reasonOf('LISTEN') === null && <Listener takers={takers} />}>
          {HEARINGS.filter(({ mode }) => has(mode)).map(({ mode, shortcut }) => (
            <ActButton key={mode} {...heard(mode)} shortcut={shortcut} act={() => join(mode)}>
              {t(`callAct.${mode}`)}
            </ActButton>
          ))}
          {hearing && (
            <Badge variant="light" color="violet" role="status">
              {t(`hearing.${hearing}`)}
            </Badge>
          )}
        </ActGroup>
      )}
      <ActGroup label={t('actGroup.handle')}>
        <ActButton {...given('TRANSFER')} shortcut="T" act={() => setAsked('BLIND')}>
          {t('callAct.TRANSFER')}
        </ActButton>
        <MeetingActs call={call} userId={user?.databaseId ?? ''} reasonOf={reasonOf} has={has} explain={explain} />
        {has('HANG_UP') && <HangUpButton call={call} reason={reasonOf('HANG_UP')} explain={explain} />}
        <MoreActs
          explain={explain}
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
      {explained && !refused && (
        <Text className={styles.explained} role="status">
          {explained}
        </Text>
      )}
      {known?.conference && <Legs legs={known.conference.legs} conferenceId={conferenceId} changed={() => void refetch()} />}
      <PartNote stage={stage} isSupervisor={isSupervisor} />
      <TargetModal asked={asked} callKey={callKey} when={timing} conferenceId={conferenceId} close={() => setAsked(null)} />
    </div>
  );
}

/** How far the user's own phone is in the call. */
function PartNote({ stage, isSupervisor }: { stage: PartStage | null; isSupervisor: boolean }) {
  const { t } = useTranslation();
  if (stage === null || (stage === 'TALKING' && isSupervisor)) return null;
  return (
    <Text size="xs" role="status">
      {stage === 'TALKING' ? t('live.inConference') : t(`live.partStage.${stage}`)}
    </Text>
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
