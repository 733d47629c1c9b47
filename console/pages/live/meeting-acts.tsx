import { Alert, Badge, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { ControlCallDocument } from './acts.generated.ts';
import styles from './live.module.css';
import type { OpenCall } from './open-call.ts';
import type { Explain } from './use-explained.ts';

type Name = 'HOLD' | 'MUTE' | 'KEYPAD';

/** Same bound as the argument of `controlLiveCall`. */
const MAX_DIGITS = 32;

interface MeetingActsProps {
  call: OpenCall;
  /** Row id of the user. */
  userId: string;
  /** Why the action is disabled; null when it is allowed. */
  reasonOf: (name: Name) => string | null;
  /** Whether the action belongs here: the phone bar has those of a phone in this browser. */
  has: (name: Name) => boolean;
  explain: Explain;
}

/**
 * Hold, mute and keypad while an agent has the customer; a mode that is on stays pressed. The phone bar has these buttons for a phone
 * in the browser, but cannot end a mode that the server set, so such a mode is ended here.
 */
export function MeetingActs({ call, userId, reasonOf, has, explain }: MeetingActsProps) {
  const { t } = useTranslation();
  const { run, refused } = useAct();
  const [isTyping, setTyping] = useState(false);
  const { callKey, guidance } = call;
  const isHeld = reasonOf('HOLD') === null && guidance.findLast(isHold)?.kind === 'HOLD';
  const isMuted = reasonOf('MUTE') === null && guidance.findLast(one => one.userId === userId && isMute(one))?.kind === 'MUTE';
  const control = (action: 'HOLD' | 'RESUME' | 'MUTE' | 'UNMUTE') =>
    void run(ControlCallDocument, { callKey, action }, t(`acts.done.${action}`));
  const look = (name: Name, isOn: boolean) =>
    ({
      size: 'compact-sm',
      variant: isOn ? 'filled' : 'default',
      color: 'violet',
      reason: reasonOf(name),
      explain,
      isPressed: isOn,
    }) as const;
  return (
    <>
      {(has('HOLD') || isHeld) && (
        <ActButton {...look('HOLD', isHeld)} shortcut="D" act={() => control(isHeld ? 'RESUME' : 'HOLD')}>
          {t(isHeld ? 'callAct.RESUME' : 'callAct.HOLD')}
        </ActButton>
      )}
      {(has('MUTE') || isMuted) && (
        <ActButton {...look('MUTE', isMuted)} shortcut="M" act={() => control(isMuted ? 'UNMUTE' : 'MUTE')}>
          {t(isMuted ? 'callAct.UNMUTE' : 'callAct.MUTE')}
        </ActButton>
      )}
      {has('KEYPAD') && (
        <ActButton {...look('KEYPAD', isTyping)} shortcut="P" act={() => setTyping(!isTyping)}>
          {t('callAct.KEYPAD')}
        </ActButton>
      )}
      {isHeld && (
        <Badge variant="light" color="violet" role="status">
          {t('held')}
        </Badge>
      )}
      {isTyping && has('KEYPAD') && reasonOf('KEYPAD') === null && <Keypad callKey={callKey} close={() => setTyping(false)} />}
      {refused && (
        <Alert color="red" role="alert" p="xs">
          {refused}
        </Alert>
      )}
    </>
  );
}

type Step = OpenCall['guidance'][number];

function isHold({ kind }: Step): boolean {
  return kind === 'HOLD' || kind === 'RESUME';
}

function isMute({ kind }: Step): boolean {
  return kind === 'MUTE' || kind === 'UNMUTE';
}

function Keypad({ callKey, close }: { callKey: string; close: () => void }) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [digits, setDigits] = useState('');
  const send = async () => {
    if (isBusy || digits === '') return;
    if (await run(ControlCallDocument, { callKey, action: 'DTMF', digits }, t('acts.done.DTMF'))) setDigits('');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Esc closes only the field, not the call behind it.
      event.preventDefault();
      close();
    }
    if (event.key === 'Enter') void send();
  };
  return (
    <TextInput
      className={styles.guideField}
      label={t('keypad.digits')}
      description={t('guide.keys')}
      inputMode="tel"
      maxLength={MAX_DIGITS}
      value={digits}
      error={refused}
      autoComplete="off"
      autoFocus
      onChange={event => setDigits(event.currentTarget.value.replace(/[^0-9*#]/g, ''))}
      onKeyDown={onKey}
    />
  );
}
