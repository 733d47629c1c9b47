import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { businessZone } from '../../text/business-zone.ts';
import { formatDateTime, formatSeconds, formatTime } from '../../text/format.ts';
import { useServerWords } from '../../text/server-words.ts';
import { fullTime, timeIn } from '../../text/zone.ts';
import { useNow } from '../../ui/use-now.ts';
import { isHindered, phaseKey } from './phase-key.ts';

/** Statuses as the schema spells them. */
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
  /** In Chinese, with the same as data in `phaseCause`. */
  phaseReason: string | null;
  phaseCause: string | null;
  phaseSince: string | null;
  nextWakeAt: string | null;
}

/** Phase of a running campaign in one line: the server's reason where there is one, and the time until it checks again. */
export function Phase({ status, phase, phaseReason, phaseCause, phaseSince: since, nextWakeAt }: PhaseProps) {
  const words = useServerWords();
  if (status === 'PAUSED' && since !== null) return <Since at={since} />;
  if (status !== 'RUNNING') return null;
  const tone = phase === 'SWITCH_UNREACHABLE' ? 'tone-failed' : isHindered(phase, phaseCause) ? 'tone-waiting' : 'quiet';
  return (
    <span className={tone}>
      {words(phaseKey(phase, phaseCause), phaseReason)}
      {since !== null && phase !== 'DISPATCHING' && <Since at={since} />}
      {nextWakeAt && COUNTED[phase] && !ENDLESS.has(phaseCause ?? '') && <Countdown until={nextWakeAt} ends={COUNTED[phase]} />}
    </span>
  );
}

/** How long a wait lasts before its duration is shown, in ms. */
const WORTH_TELLING_MS = 30_000;

/** How long the phase has lasted; nothing while it is new. */
function Since({ at }: { at: string }) {
  const { t } = useTranslation();
  const now = useNow(WORTH_TELLING_MS);
  const age = now - Date.parse(at);
  if (age < WORTH_TELLING_MS) return null;
  return (
    <span className="quiet" title={fullTime(at)}>
      {' '}
      {t('phase.since', { at: age < DAY_MS ? formatTime(at) : formatDateTime(at) })}
    </span>
  );
}

const DAY_MS = 86_400_000;

/** Phases that end at a known time, with the wording of the countdown; the others end by an event, and the campaign only checks again. */
const COUNTED: Readonly<Record<string, 'opens' | 'left'>> = {
  WAITING_WINDOW: 'opens',
  BLOCKED_BY_POLICY: 'opens',
  WAITING_INTERVAL: 'left',
  WAITING_RETRY: 'left',
  SWITCH_UNREACHABLE: 'left',
};

/** Causes that no time ends: the campaign only checks again. */
const ENDLESS: ReadonlySet<string> = new Set(['SCHEDULE_OVER', 'WINDOW_INVALID', 'NO_SCRIPT']);

/** Shortest countdown worth showing, in ms: a shorter one ends before it is read, or marks only the next check. */
const WORTH_COUNTING_MS = 10_000;

function Countdown({ until, ends }: { until: string; ends: 'opens' | 'left' }) {
  const { t } = useTranslation();
  const now = useNow();
  const at = Date.parse(until);
  if (at - now < WORTH_COUNTING_MS) return null;
  const left = formatSeconds((at - now) / 1000);
  if (ends === 'opens') return t('phase.opens', { left, ...timeIn(businessZone(), at, now) });
  return t('phase.left', { left, at: formatTime(until) });
}
