import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { weekdayName } from '../../text/zone.ts';
import type { DialingDayFragment, DialingSpanFragment } from './dialing-calendar.generated.ts';
import styles from './dialing-calendar.module.css';

interface DayRowProps {
  day: DialingDayFragment;
  /** With a campaign, hours that policies allow are distinguished from the campaign's own. */
  hasCampaign: boolean;
  /** `HH:mm` in the business time zone if the day is today; else null. */
  now: string | null;
}

/** One day as a bar of its hours, and in words; a closed day names what closes it. */
export function DayRow({ day, hasCampaign, now }: DayRowProps) {
  const { t } = useTranslation();
  const { date, weekday, open, openByPolicies, openByCampaign } = day;
  return (
    <div className={styles.day}>
      <span className={now === null ? undefined : styles.today}>
        {weekdayName(weekday)} {date.slice(5)}
        {now !== null && <span className="quiet"> {t('dialingCalendar.today')}</span>}
      </span>
      <div className={styles.bar} aria-hidden>
        {hasCampaign && <Spans spans={openByPolicies} className={styles.policies ?? ''} />}
        {hasCampaign && <Spans spans={openByCampaign} className={styles.campaign ?? ''} />}
        <Spans spans={open} className={styles.open ?? ''} />
        {now !== null && <i className={styles.now} style={{ left: `${shareOf(now) * 100}%` }} />}
      </div>
      <Words day={day} />
    </div>
  );
}

function Words({ day: { open, closedBy, openByPolicies, openByCampaign } }: { day: DialingDayFragment }) {
  const { t } = useTranslation();
  if (open.length > 0) return <span className={styles.words}>{open.map(textOf).join(t('policyWords.comma'))}</span>;
  const [first, ...others] = closedBy;
  if (first) {
    return (
      <span className={`tone-failed ${styles.words}`}>
        {t('dialingCalendar.closed')} ·{' '}
        <Link to={{ search: `?policy=${first.databaseId}` }} title={closedBy.map(({ name }) => name).join(t('policyWords.comma'))}>
          {first.name}
        </Link>
        {others.length > 0 && ` +${others.length}`}
      </span>
    );
  }
  const why = openByCampaign.length === 0 ? 'dialingCalendar.outsideCampaign' : 'dialingCalendar.outsidePolicies';
  return (
    <span className={`tone-failed ${styles.words}`}>
      {openByCampaign.length > 0 && openByPolicies.length > 0 ? t('dialingCalendar.neverBoth') : t(why)}
    </span>
  );
}

function Spans({ spans, className }: { spans: readonly DialingSpanFragment[]; className: string }) {
  return spans.map(span => (
    <i
      key={span.start}
      className={className}
      style={{ left: `${shareOf(span.start) * 100}%`, width: `${(shareOf(span.end) - shareOf(span.start)) * 100}%` }}
      title={textOf(span)}
    />
  ));
}

function textOf({ start, end }: DialingSpanFragment): string {
  return `${start}–${end}`;
}

/** Share of the day that has passed at `HH:mm`. */
function shareOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) / 1440;
}
