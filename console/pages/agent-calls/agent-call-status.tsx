import { useTranslation } from 'react-i18next';
import type { AgentCallRowFragment } from './agent-calls.generated.ts';

type Status = AgentCallRowFragment['status'];

const TONES: Record<Status, string> = {
  CREATED: '',
  RINGING: '',
  DIALING: '',
  ANSWERED: 'tone-person',
  COMPLETED: 'quiet',
  FAILED: 'tone-failed',
};

/** Status of an agent's call as a label. */
export function AgentCallStatus({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <span className={TONES[status]}>{t(`softphoneStatus.${status}`)}</span>;
}
