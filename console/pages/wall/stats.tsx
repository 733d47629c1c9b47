import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Spark } from '../../parts/spark.tsx';
import { Stat } from '../../parts/stat.tsx';
import { formatCount, formatDecimal, formatShare } from '../../text/format.ts';
import { RecentMinutesDocument, type WallCountsFragment, type WallQuery } from './wall.generated.ts';
import styles from './wall.module.css';

export type Now = NonNullable<WallQuery['runtimeOverview']>;

const MINUTES_LOOK_MS = 10_000;
const SECONDS_OF_MINUTE = 60;

/** The six numbers of the wall. */
export function Stats({ now, overview }: { now: Now; overview: WallCountsFragment | null }) {
  const { t } = useTranslation();
  const history = useHistory();
  const { scheduler, cells, campaigns } = now;
  const cap = cells.some(cell => cell.maxConcurrency === 0) ? 0 : cells.reduce((sum, { maxConcurrency }) => sum + maxConcurrency, 0);
  const waiting = campaigns.filter(({ status, phase }) => status === 'RUNNING' && phase.startsWith('WAITING')).length;
  const { attempts, agents, activeCalls } = overview ?? {};
  const recent = history.dials.reduce((sum, each) => sum + each, 0);
  const answered = history.answered.reduce((sum, each) => sum + each, 0);
  return (
    <div className={styles.stats}>
      <Stat
        label={t('wall.callsNow')}
        value={formatCount(activeCalls ?? now.activeContacts)}
        cap={cap > 0 ? `/ ${formatCount(cap)}` : ''}
        note={
          now.stuckContacts > 0 ? <span className="tone-failed">{t('wall.stuck', { count: now.stuckContacts })}</span> : t('wall.noneStuck')
        }
      />
      <Stat
        label={t('wall.dialRate')}
        value={formatDecimal(scheduler.submittedLastMinute / SECONDS_OF_MINUTE)}
        note={t('wall.lastMinute', { count: scheduler.submittedLastMinute })}
      >
        <Spark label={t('wall.dialsOfMinutes')} times={history.times} values={history.dials} />
      </Stat>
      <Stat
        label={t('wall.answerRate')}
        value={formatShare(recent === 0 ? 0 : answered / recent)}
        tone="answered"
        note={t('wall.answeredOf', { answered: formatCount(answered), dials: formatCount(recent) })}
      >
        <Spark label={t('wall.answersOfMinutes')} times={history.times} values={history.answered} color="--answered-fill" />
      </Stat>
      <Stat
        label={t('wall.today')}
        value={formatCount(attempts?.today ?? 0)}
        note={t('wall.answeredToday', { count: attempts?.answered ?? 0 })}
      />
      <Stat
        label={t('wall.onDuty')}
        value={formatCount((agents?.idle ?? 0) + (agents?.busy ?? 0))}
        tone="person"
        note={t('wall.agents', { idle: agents?.idle ?? 0, busy: agents?.busy ?? 0 })}
      />
      <Stat
        label={t('wall.campaignsRunning')}
        value={formatCount(overview?.campaigns.running ?? 0)}
        note={waiting > 0 ? <span className="tone-waiting">{t('wall.campaignsWaiting', { count: waiting })}</span> : t('wall.noneWaits')}
      />
    </div>
  );
}

/** The last fifteen minutes; the newest is the current one and not whole yet. */
function useHistory() {
  const { data } = useQuery(RecentMinutesDocument, { pollInterval: MINUTES_LOOK_MS });
  const minutes = data?.recentMinutes;
  return useMemo(
    () => ({
      times: (minutes ?? []).map(({ at }) => new Date(at).getTime() / 1000),
      dials: (minutes ?? []).map(({ dials }) => dials),
      answered: (minutes ?? []).map(({ answered }) => answered),
    }),
    [minutes],
  );
}
