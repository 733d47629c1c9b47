import { Group, Skeleton, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatSeconds } from '../../text/format.ts';
import { agentDayPath } from '../../ui/agent-day-path.ts';
import type { MyDeskQuery } from './desk.generated.ts';
import styles from './desk.module.css';

type Day = NonNullable<MyDeskQuery['myDesk']>['day'];

/** The user's day in figures; a figure without calls is a dash. */
export function MyDay({ day, agentId }: { day: Day | null; agentId: string | null }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.box}`} aria-label={t('desk.day')}>
      <Group justify="space-between" align="baseline">
        <Title order={2}>{t('desk.day')}</Title>
        {agentId !== null && <Link to={agentDayPath(agentId)}>{t('desk.wholeDay')}</Link>}
      </Group>
      {day === null ? (
        <Skeleton height={84} />
      ) : (
        <dl className={styles.figures}>
          {figuresOf(day).map(([name, figure]) => (
            <div key={name}>
              <dt className="quiet">{t(`desk.figure.${name}`)}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

const NONE = '–';

function figuresOf({ callsHandled, talkSeconds, averageTalkSeconds, interventions, missedOffers }: Day): [string, string][] {
  return [
    ['handled', formatCount(callsHandled)],
    ['talk', formatSeconds(talkSeconds)],
    ['average', averageTalkSeconds === null ? NONE : formatSeconds(averageTalkSeconds)],
    ['interventions', formatCount(interventions)],
    ['missed', formatCount(missedOffers)],
  ];
}
