import { Button, Kbd } from '@mantine/core';
import { IconMicrophone, IconMicrophoneOff, IconPhone, IconPhoneOff, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../text/format.ts';
import { formatPhone } from '../text/phone-number.ts';
import { useNow } from '../ui/use-now.ts';
import { Keypad } from './keypad.tsx';
import styles from './phone.module.css';
import type { PhoneCall } from './phone-state.ts';
import { QualityPart } from './quality-part.tsx';
import { usePhone } from './use-phone.ts';

/** The call of the phone, with what can be done about it; nothing without a call. */
export function CallPart() {
  const { call } = usePhone();
  if (!call) return <span className={styles.call} />;
  return (
    <div className={styles.call}>
      <Who call={call} />
      {call.phase === 'talking' && <QualityPart quality={call.quality} isRestored={call.isRestored} />}
      <Acts call={call} />
    </div>
  );
}

function Who({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const { phase, number, name, isHeld, isMuted } = call;
  const shown = formatPhone(number);
  const other = name !== '' && name !== number ? `${name} ${shown}` : shown;
  return (
    <span className={styles.who} role={phase === 'ringing' ? 'alert' : 'status'}>
      <span className={phase === 'ringing' ? styles.rings : 'quiet'}>{t(`phone.phase.${phase}`)}</span>
      <strong>{other}</strong>
      {phase === 'talking' && <Duration since={call.answeredAt} />}
      {isHeld && <span className="tone-waiting">{t('phone.isHeld')}</span>}
      {isMuted && <span className="tone-waiting">{t('phone.isMuted')}</span>}
    </span>
  );
}

/** Not read out: a screen reader would speak every second. */
function Duration({ since }: { since: number | null }) {
  const now = useNow();
  return <span aria-hidden>{formatSeconds((now - (since ?? now)) / 1000)}</span>;
}

function Acts({ call }: { call: PhoneCall }) {
  const { t } = useTranslation();
  const { actions } = usePhone();
  const { phase, isMuted, isHeld } = call;
  if (phase === 'ended') return null;
  return (
    <span className={styles.acts}>
      {phase === 'ringing' && (
        <Act color="green" icon={<IconPhone size={16} />} shortcut="A" act={actions.answer}>
          {t('phone.answer')}
        </Act>
      )}
      {phase === 'talking' && (
        <>
          <Act
            icon={isMuted ? <IconMicrophoneOff size={16} /> : <IconMicrophone size={16} />}
            shortcut="M"
            isOn={isMuted}
            act={() => actions.mute(!isMuted)}
          >
            {t(isMuted ? 'phone.unmute' : 'phone.mute')}
          </Act>
          <Act
            icon={isHeld ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            shortcut="H"
            isOn={isHeld}
            act={() => actions.hold(!isHeld)}
          >
            {t(isHeld ? 'phone.resume' : 'phone.hold')}
          </Act>
          <Keypad />
        </>
      )}
      <Act color="red" icon={<IconPhoneOff size={16} />} shortcut="X" act={actions.hangUp}>
        {t(phase === 'ringing' ? 'phone.decline' : 'phone.hangUp')}
      </Act>
    </span>
  );
}

interface ActProps {
  act: () => void;
  icon: ReactNode;
  /** Letter that does the same together with Alt. */
  shortcut: string;
  color?: string;
  /** Whether a switch is on. */
  isOn?: boolean;
  children: string;
}

function Act({ act, icon, shortcut, color, isOn, children }: ActProps) {
  return (
    <Button
      size="xs"
      variant={color ? 'filled' : isOn ? 'light' : 'default'}
      {...(color && { color })}
      leftSection={icon}
      rightSection={
        <Kbd size="xs" className={styles.kbd ?? ''}>
          Alt {shortcut}
        </Kbd>
      }
      aria-keyshortcuts={`Alt+${shortcut}`}
      onClick={act}
    >
      {children}
    </Button>
  );
}
