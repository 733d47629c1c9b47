import { useTranslation } from 'react-i18next';
import type { AgentRowFragment } from './agents.generated.ts';

type Status = 'IDLE' | 'BUSY' | 'OFFLINE';

const STATUS_TONES: Record<Status, string> = { IDLE: 'tone-answered', BUSY: 'tone-waiting', OFFLINE: 'quiet' };

/** Status of an agent as a label. */
export function AgentStatusText({ status, isEnabled }: { status: Status; isEnabled: boolean }) {
  const { t } = useTranslation();
  return <span className={isEnabled ? STATUS_TONES[status] : 'quiet'}>{isEnabled ? t(`agentStatus.${status}`) : t('noun.disabled')}</span>;
}

type Registration = AgentRowFragment['registrationStatus'];

const REGISTRATION_TONES: Record<Registration, string> = {
  REGISTERED: 'tone-answered',
  UNREGISTERED: 'tone-failed',
  UNCONFIGURED: 'quiet',
  UNKNOWN: 'tone-waiting',
};

/** Registration of the phone as a label. */
export function RegistrationText({ status }: { status: Registration }) {
  const { t } = useTranslation();
  return <span className={REGISTRATION_TONES[status]}>{t(`registration.${status}`)}</span>;
}
