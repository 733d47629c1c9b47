import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../shell/me.ts';
import { formatDateTime, formatSeconds, formatTime } from '../text/format.ts';
import { useServerWords } from '../text/server-words.ts';
import { timeIn } from '../text/zone.ts';
import { phaseKey } from './phase-key.ts';
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
  /** In Chinese, and as data. */
  phaseReason: string | null;
  phaseCause: string | null;
  phaseSince: string | null;
  nextWakeAt: string | null;
}

/** What a running campaign does or waits for, in one line: the server's reason where it gives one, and how long until it looks again. */
export function Phase({ status, phase, phaseReason, phaseCause, phaseSince: since, nextWakeAt }: PhaseProps) {
  const words = useServerWords();
  if (status === 'PAUSED' && since !== null) return <Since at={since} />;
  if (status !== 'RUNNING') return null;
  const tone = phase === 'DISPATCHING' || phase === 'IDLE' ? 'quiet' : phase === 'SWITCH_UNREACHABLE' ? 'tone-failed' : 'tone-waiting';
  return (
    <span className={tone}>
      {words(phaseKey(phase, phaseCause), phaseReason)}
      {since !== null && phase !== 'DISPATCHING' && <Since at={since} />}
      {nextWakeAt && COUNTED[phase] && !ENDLESS.has(phaseCause ?? '') && <Countdown until={nextWakeAt} ends={COUNTED[phase]} />}
    </span>
  );
}

/** A wait that has only begun is none yet, ms. */
const WORTH_TELLING_MS = 30_000;

/** Since when; nothing while it is news. */
function Since({ at }: { at: string }) {
  const { t } = useTranslation();
  const now = useNow(WORTH_TELLING_MS);
  const age = now - Date.parse(at);
  if (age < WORTH_TELLING_MS) return null;
  return (
    <span className="quiet" title={formatDateTime(at)}>
      {' '}
      {t('phase.since', { at: age < DAY_MS ? formatTime(at) : formatDateTime(at) })}
    </span>
  );
}

const DAY_MS = 86_400_000;

/** What ends by time, and how; others end by what happens, and the campaign only looks again. */
const COUNTED: Readonly<Record<string, 'opens' | 'left'>> = {
  WAITING_WINDOW: 'opens',
  BLOCKED_BY_POLICY: 'opens',
  WAITING_INTERVAL: 'left',
  WAITING_RETRY: 'left',
  SWITCH_UNREACHABLE: 'left',
};

/** Causes that no time ends: the campaign only looks again. */
const ENDLESS: ReadonlySet<string> = new Set(['SCHEDULE_OVER', 'WINDOW_INVALID', 'NO_SCRIPT']);

/** Nothing below this is worth counting, ms: it is over before it is read, or the campaign only looks again. */
const WORTH_COUNTING_MS = 10_000;

/** Calling windows go by the business time zone, wherever the browser stands. */
function Countdown({ until, ends }: { until: string; ends: 'opens' | 'left' }) {
  const { t } = useTranslation();
  const { timeZone } = useMe();
  const now = useNow();
  const at = Date.parse(until);
  if (at - now < WORTH_COUNTING_MS) return null;
  const left = formatSeconds((at - now) / 1000);
  if (ends === 'opens' && timeZone !== null) return t('phase.opens', { left, ...timeIn(timeZone, at, now) });
  return t('phase.left', { left, at: formatTime(until) });
}
