import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatDecimal, formatSeconds, formatShare } from '../../text/format.ts';
import { useNow } from '../../ui/use-now.ts';
import { StateCounts } from '../agents/state-counts.tsx';
import { isHindered } from '../campaigns/phase-key.ts';
import type { WallCountsFragment, WallNowFragment } from './wall.generated.ts';
import styles from './wall.module.css';

const SECONDS_OF_MINUTE = 60;

interface StatsProps {
  now: WallNowFragment;
  overview: WallCountsFragment | null;
}

/** The six headline numbers of the wall. */
export function Stats({ now, overview }: StatsProps) {
  const { t } = useTranslation();
  const { scheduler, cells, campaigns, stuckContacts, activeContacts } = now.overview;
  const { times, dials, answered } = historyOf(now);
  const cap = cells.some(cell => cell.maxConcurrency === 0) ? 0 : sum(cells.map(({ maxConcurrency }) => maxConcurrency));
  const waiting = campaigns.filter(({ status, phase, phaseCause }) => status === 'RUNNING' && isHindered(phase, phaseCause)).length;
  const { attempts, agents, activeCalls } = overview ?? {};
  const stages = now.callStages;
  const online = (agents?.byState ?? []).filter(({ state }) => state !== 'OFFLINE');
  return (
    <div className={styles.stats}>
      <Stat
        label={t('wall.callsNow')}
        value={formatCount(stages ? stages.dialling + stages.ringing + stages.talking : (activeCalls ?? activeContacts))}
        cap={cap > 0 ? `/ ${formatCount(cap)}` : ''}
        note={
          <>
            {stages && t('wall.stages', { ...stages })}
            {stuckContacts > 0 && <span className="tone-failed"> {t('wall.stuck', { count: stuckContacts })}</span>}
          </>
        }
      />
      <Stat
        label={t('wall.dialRate')}
        value={formatDecimal(scheduler.submittedLastMinute / SECONDS_OF_MINUTE)}
        note={t('wall.dialsToday', { count: attempts?.today ?? 0, formatted: formatCount(attempts?.today ?? 0) })}
      >
        <Spark label={t('wall.dialsOfMinutes')} times={times} values={dials} />
      </Stat>
      <Stat
        label={t('wall.answerRate')}
        {...(sum(dials) === 0 ? { value: '–' } : { value: formatShare(sum(answered) / sum(dials)), tone: 'answered' as const })}
        note={t('wall.answeredOf', { answered: formatCount(sum(answered)), dials: formatCount(sum(dials)) })}
      >
        <Spark label={t('wall.answersOfMinutes')} times={times} values={answered} color="--answered-fill" />
      </Stat>
      <WaitingStat waiting={now.waiting} />
      <Stat
        label={t('wall.onDuty')}
        value={formatCount(sum(online.map(({ count }) => count)))}
        tone="person"
        note={<StateCounts counts={online} />}
      />
      <Stat
        label={t('wall.campaignsRunning')}
        value={formatCount(overview?.campaigns.running ?? 0)}
        note={waiting > 0 ? <span className="tone-waiting">{t('wall.campaignsWaiting', { count: waiting })}</span> : t('wall.noneWaits')}
      />
    </div>
  );
}

const REASONS = ['forAgent', 'claims', 'forMonitor'] as const;

/** How many calls wait for an agent, why, and the longest wait. */
function WaitingStat({ waiting }: Pick<WallNowFragment, 'waiting'>) {
  const { t } = useTranslation();
  const now = useNow();
  const wanted = REASONS.flatMap(reason => (waiting && waiting[reason].count > 0 ? [{ reason, ...waiting[reason] }] : []));
  const since = wanted.map(each => Date.parse(each.since ?? '')).filter(Number.isFinite);
  return (
    <Stat
      label={t('wall.waiting')}
      value={waiting ? formatCount(sum(wanted.map(({ count }) => count))) : '–'}
      cap={since.length > 0 ? formatSeconds((now - Math.min(...since)) / 1_000) : ''}
      {...(wanted.length > 0 ? { tone: 'waiting' } : {})}
      note={
        wanted.length > 0 ? (
          <Link to="/live?wanted=yes">{wanted.map(({ reason, count }) => t(`wall.waits.${reason}`, { count })).join(' · ')}</Link>
        ) : (
          t('wall.nobodyWaits')
        )
      }
    />
  );
}

/** The last fifteen minutes; the newest one is still running. */
function historyOf({ recentMinutes }: WallNowFragment) {
  return {
    times: recentMinutes.map(({ at }) => new Date(at).getTime() / 1_000),
    dials: recentMinutes.map(({ dials }) => dials),
    answered: recentMinutes.map(({ answered }) => answered),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface StatProps {
  label: string;
  value: string;
  /** Limit after the value, such as `/ 30`. */
  cap?: string;
  note?: ReactNode;
  tone?: 'answered' | 'waiting' | 'failed' | 'person';
  children?: ReactNode;
}

/** One number of a dashboard: its name, value, note and sparkline. */
function Stat({ label, value, cap, note, tone, children }: StatProps) {
  return (
    <section className={`sheet ${styles.stat}`} aria-label={label}>
      <span className="quiet">{label}</span>
      <span className={`${styles.value} ${tone ? `tone-${tone}` : ''}`}>
        {value}
        {cap && <span className={`quiet ${styles.cap}`}> {cap}</span>}
      </span>
      <span className={`quiet ${styles.note}`}>{note}</span>
      {children && <div className={styles.course}>{children}</div>}
    </section>
  );
}

interface SparkProps {
  /** Description for screen readers. */
  label: string;
  /** Seconds since 1970 for each value. */
  times: readonly number[];
  values: readonly number[];
  /** A variable of theme.css. */
  color?: string;
}

/** Width in the drawing's own units; the page stretches it. */
const WIDTH = 100;
const HEIGHT = 34;
/** Keeps the line visible at its highest and lowest point. */
const MARGIN = 2;

/** A sparkline with its scale: from zero to the highest minute, which is named. */
function Spark({ label, times, values, color = '--mantine-color-accent-filled' }: SparkProps) {
  const { t } = useTranslation();
  const most = Math.max(0, ...values);
  return (
    <div className={styles.scaled}>
      <svg role="img" aria-label={label} className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <line x1={0} x2={WIDTH} y1={HEIGHT - MARGIN} y2={HEIGHT - MARGIN} vectorEffect="non-scaling-stroke" />
        <polyline points={pointsOf(times, values)} stroke={`var(${color})`} vectorEffect="non-scaling-stroke" />
      </svg>
      {most > 0 && <span className={styles.scale}>{t('wall.most', { most: formatCount(most) })}</span>}
    </div>
  );
}

function pointsOf(times: readonly number[], values: readonly number[]): string {
  const [from = 0, to = from] = [times[0], times.at(-1)];
  const span = Math.max(1, to - from);
  const most = Math.max(1, ...values);
  return values
    .map((value, index) => {
      const x = (((times[index] ?? from) - from) / span) * WIDTH;
      const y = HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN);
      return `${x.toFixed(2)},${y.toFixed(2)}`;
    })
    .join(' ');
}
