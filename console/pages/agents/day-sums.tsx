import { useTranslation } from 'react-i18next';
import { formatCount, formatSeconds, formatShare } from '../../text/format.ts';
import type { AgentDaySumsFragment } from './agent-day.generated.ts';
import styles from './agent-day.module.css';

/** The sums of the day, the same that the reports have. */
export function DaySums({ sums }: { sums: AgentDaySumsFragment }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('agentDay.sums')}>
      <dl className={styles.sums}>
        {figuresOf(sums).map(([name, figure]) => (
          <div key={name}>
            <dt className="quiet">{t(`agentDay.sum.${name}`)}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function figuresOf({ offered, answered, missed, ...times }: AgentDaySumsFragment): [string, string][] {
  return [
    ['offered', formatCount(offered)],
    ['answered', formatCount(answered)],
    ['missed', formatCount(missed)],
    ['talk', formatSeconds(times.talkSeconds)],
    ['wrapUp', formatSeconds(times.wrapUpSeconds)],
    ['onDuty', formatSeconds(times.onDutySeconds)],
    ['occupancy', times.occupancy === null ? '–' : formatShare(times.occupancy)],
  ];
}
