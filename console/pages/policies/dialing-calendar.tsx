import { useQuery } from '@apollo/client/react';
import { Button, Group, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import { localIn } from '../../text/local-time.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { DayRow } from './day-row.tsx';
import { DialTester } from './dial-tester.tsx';
import { type DialingDayFragment, DialingDaysDocument } from './dialing-calendar.generated.ts';
import styles from './dialing-calendar.module.css';

const DAYS = 28;
const DAY_MS = 86_400_000;
/** Interval at which the line of the present moves, in ms. */
const LOOK_MS = 30_000;
const HOURS = [0, 6, 12, 18, 24];

/** Hours of the coming weeks in which any campaign, or one campaign, may dial; and a check for one number. */
export function DialingCalendar() {
  const { t } = useTranslation();
  const [campaignId, setCampaign] = useQueryState('campaign');
  const [from, setFrom] = useQueryState('from');
  const { data, previousData, error } = useQuery(DialingDaysDocument, {
    variables: { campaignId: campaignId || null, from: from || null, days: DAYS },
  });
  const { timeZone = '', days = [] } = (data ?? previousData)?.dialingDays ?? {};
  const first = days[0]?.date;
  const move = (by: number) => first && setFrom(new Date(Date.parse(`${first}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10));
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        <CampaignSelect
          w={280}
          label={t('dialingCalendar.campaign')}
          placeholder={t('dialingCalendar.everyCampaign')}
          clearable
          value={campaignId}
          choose={setCampaign}
        />
        <Group gap="xs">
          <Button variant="default" onClick={() => move(-DAYS)}>
            {t('dialingCalendar.earlier')}
          </Button>
          <Button variant="default" onClick={() => setFrom('')}>
            {t('dialingCalendar.today')}
          </Button>
          <Button variant="default" onClick={() => move(DAYS)}>
            {t('dialingCalendar.later')}
          </Button>
        </Group>
      </Group>
      {error && <Notice error={error} />}
      {timeZone && <DialTester campaignId={campaignId || null} timeZone={timeZone} />}
      {days.length === 0 && !error ? <Skeleton height={420} /> : <Weeks days={days} timeZone={timeZone} hasCampaign={campaignId !== ''} />}
    </>
  );
}

interface WeeksProps {
  days: readonly DialingDayFragment[];
  timeZone: string;
  hasCampaign: boolean;
}

function Weeks({ days, timeZone, hasCampaign }: WeeksProps) {
  const { t } = useTranslation();
  const now = localIn(timeZone, useNow(LOOK_MS));
  const weeks = [...Map.groupBy(days, (_day, index) => Math.floor(index / 7)).values()];
  return (
    <>
      <Legend hasCampaign={hasCampaign} />
      <div className={styles.weeks}>
        {weeks.map(week => (
          <section
            key={week[0]?.date}
            className={`sheet ${styles.week}`}
            aria-label={t('dialingCalendar.week', { from: week[0]?.date, to: week.at(-1)?.date })}
          >
            <div className={styles.axis} aria-hidden>
              {HOURS.map(hour => (
                <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
                  {hour}
                </span>
              ))}
            </div>
            {week.map(day => (
              <DayRow key={day.date} day={day} hasCampaign={hasCampaign} now={now.startsWith(day.date) ? now.slice(11) : null} />
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

function Legend({ hasCampaign }: { hasCampaign: boolean }) {
  const { t } = useTranslation();
  return (
    <Group gap="lg" mb="sm" className="quiet">
      <span className={styles.key}>
        <i className={styles.open} />
        {t('dialingCalendar.open')}
      </span>
      {hasCampaign && (
        <>
          <span className={styles.key}>
            <i className={styles.policies} />
            {t('dialingCalendar.onlyPolicies')}
          </span>
          <span className={styles.key}>
            <i className={styles.campaign} />
            {t('dialingCalendar.onlyCampaign')}
          </span>
        </>
      )}
      <span className={styles.key}>
        <i className={styles.closed} />
        {t('dialingCalendar.closed')}
      </span>
    </Group>
  );
}
