import { useTranslation } from 'react-i18next';
import { monthName, weekdayName } from '../../text/zone.ts';
import { type Holidays, markOf, monthDays } from './holiday-days.ts';
import styles from './holidays.module.css';
import { WEEKDAYS } from './use-weekdays.ts';

interface MonthProps {
  year: number;
  month: number;
  holidays: Holidays;
  isReadOnly: boolean;
  press: (date: string) => void;
}

/** One month; the label of a day names its mark. */
export function Month({ year, month, holidays, isReadOnly, press }: MonthProps) {
  const { t } = useTranslation();
  const name = monthName(month);
  return (
    <section className={`sheet ${styles.month}`} aria-label={`${year} ${name}`}>
      <h3 className={styles.name}>{name}</h3>
      <div className={styles.days}>
        {WEEKDAYS.map(weekday => (
          <span key={weekday} className="quiet" aria-hidden>
            {weekdayName(weekday, 'narrow')}
          </span>
        ))}
        {monthDays(year, month).map((date, index) => {
          // Empty cells come only before the first day.
          if (date === null) return <span key={`before-${index}`} />;
          const mark = markOf(holidays, date);
          const label = `${date} ${weekdayName((index % 7) + 1)}, ${t(`holidays.mark.${mark}`)}`;
          return (
            <button
              key={date}
              type="button"
              className={`${styles.day} ${styles[mark] ?? ''} ${index % 7 > 4 ? styles.weekend : ''}`}
              aria-label={label}
              aria-pressed={mark !== 'none'}
              title={label}
              disabled={isReadOnly}
              onClick={() => press(date)}
            >
              {Number(date.slice(8))}
              {mark !== 'none' && (
                <i className={styles.sign} aria-hidden>
                  {t(`holidays.sign.${mark}`)}
                </i>
              )}
            </button>
          );
        })}
      </div>
    </section>
  );
}
