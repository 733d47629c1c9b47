import { useTranslation } from 'react-i18next';
import type { AgentRowFragment } from './agents.generated.ts';

type Registration = AgentRowFragment['registrationStatus'];

const TONES: Record<Registration, string> = {
  REGISTERED: 'tone-answered',
  UNREGISTERED: 'tone-failed',
  UNCONFIGURED: 'quiet',
  UNKNOWN: 'tone-waiting',
};

/** Registration of the phone as a label. */
export function RegistrationText({ status }: { status: Registration }) {
  const { t } = useTranslation();
  return <span className={TONES[status]}>{t(`registration.${status}`)}</span>;
}
