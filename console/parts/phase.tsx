import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatSeconds, formatTime } from '../text/format.ts';
import { useServerWords } from '../text/server-words.ts';
import { useNow } from './use-now.ts';

/** As the schema spells them. */
export type CampaignStatus = 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'ARCHIVED';

const TONES: Record<CampaignStatus, string> = { DRAFT: 'gray', RUNNING: 'green', PAUSED: 'yellow', COMPLETED: 'accent', ARCHIVED: 'gray' };

export function StatusChip({ status }: { status: CampaignStatus }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={TONES[status]} radius="sm" tt="none">
      {t(`campaignStatus.${status}`)}
    </Badge>
  );
}

interface PhaseProps {
  status: CampaignStatus;
  phase: string;
  /** The server's words. */
  reason: string | null;
  nextWakeAt: string | null;
}

/** What a running campaign does or waits for, in one line: the server's reason where it gives one, and how long until it looks again. */
export function Phase({ status, phase, reason, nextWakeAt }: PhaseProps) {
  const words = useServerWords();
  if (status !== 'RUNNING') return null;
  const tone = phase === 'DISPATCHING' || phase === 'IDLE' ? 'quiet' : phase === 'SWITCH_UNREACHABLE' ? 'tone-failed' : 'tone-waiting';
  return (
    <span className={tone}>
      {words(`campaignPhase.${phase}`, reason)}
      {nextWakeAt && <Countdown until={nextWakeAt} />}
    </span>
  );
}

/** Nothing below this is worth counting, ms: the wait is over before it is read. */
const WORTH_COUNTING_MS = 3_000;

function Countdown({ until }: { until: string }) {
  const { t } = useTranslation();
  const left = new Date(until).getTime() - useNow();
  return left < WORTH_COUNTING_MS ? null : <> · {t('phase.left', { left: formatSeconds(left / 1000), at: formatTime(until) })}</>;
}
