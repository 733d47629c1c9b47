import { useTranslation } from 'react-i18next';

type Status = 'IDLE' | 'BUSY' | 'OFFLINE';

const TONES: Record<Status, string> = { IDLE: 'tone-answered', BUSY: 'tone-waiting', OFFLINE: 'quiet' };

/** Status of an agent as a label. */
export function AgentStatusText({ status, isEnabled }: { status: Status; isEnabled: boolean }) {
  const { t } = useTranslation();
  return <span className={isEnabled ? TONES[status] : 'quiet'}>{isEnabled ? t(`agentStatus.${status}`) : t('noun.disabled')}</span>;
}
