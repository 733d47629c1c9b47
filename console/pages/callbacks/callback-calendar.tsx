import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Text } from '@mantine/core';
import { today } from '../../text/date-range.ts';
import { formatAbout } from '../../text/format.ts';
import { localOf } from '../../text/local-time.ts';
import { dayName, ownTime } from '../../text/zone.ts';
import { sayDone } from '../../ui/toast.ts';
import { personOf } from './callback-words.tsx';
import styles from './callbacks.module.css';
import type { CallbackRowFragment } from './callbacks.generated.ts';
import { useShift } from './use-promise.ts';

interface CalendarProps {
  /** Local days, `2026-12-01`. */
  days: readonly string[];
  callbacks: readonly CallbackRowFragment[];
  /** Whether they are still to come. */
  isLoading: boolean;
  open: (id: string) => void;
  /** Opens a day by itself. */
  showDay: (day: string) => void;
}

/** Hours that are shown even when nothing is due in them. */
const WORKING = { from: 8, to: 20 };
/** Callbacks of an hour that a week shows; a day shows all. */
const MOST_IN_WEEK = 3;
/** Minutes by which Alt and an arrow key move a callback. */
const MOVES: Readonly<Record<string, number>> = { ArrowUp: -15, ArrowDown: 15, ArrowLeft: -1_440, ArrowRight: 1_440 };

/** Days beside each other, hours below each other; a callback is shown in the hour in which it is due, in the business time zone. */
export function CallbackCalendar({ days, callbacks, isLoading, open, showDay }: CalendarProps) {
  const { t } = useTranslation();
  const byHour = useMemo(() => Map.groupBy(callbacks, ({ dueAt }) => hourKey(dueAt)), [callbacks]);
  const [refused, setRefused] = useState<string | null>(null);
  const move = useMoveKeys(setRefused);
  const most = days.length === 1 ? Infinity : MOST_IN_WEEK;
  const now = today();
  return (
    <>
      {refused && (
        <Text role="alert" className="tone-failed" mb="xs">
          {refused}
        </Text>
      )}
      <div className={`sheet ${styles.scroll}`} data-loading={isLoading || undefined}>
        <table className={days.length === 1 ? styles.day : styles.week} aria-label={t('callbacks.calendar')} aria-busy={isLoading}>
          <thead>
            <tr>
              <td />
              {days.map(day => (
                <th
                  key={day}
                  scope="col"
                  className={day === now ? styles.today : undefined}
                  aria-current={day === now ? 'date' : undefined}
                >
                  <button type="button" className="link" onClick={() => showDay(day)}>
                    {dayName(day)}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hoursOf(callbacks).map(hour => (
              <tr key={hour}>
                <th scope="row">{`${String(hour).padStart(2, '0')}:00`}</th>
                {days.map(day => (
                  <HourCell
                    key={day}
                    due={byHour.get(`${day} ${hour}`) ?? []}
                    most={most}
                    open={open}
                    showAll={() => showDay(day)}
                    move={move}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="sm" className="quiet" mt="xs">
        {t('callbacks.keys')}
      </Text>
    </>
  );
}

interface HourCellProps {
  due: readonly CallbackRowFragment[];
  most: number;
  open: (id: string) => void;
  showAll: () => void;
  move: (event: KeyboardEvent, callback: CallbackRowFragment) => void;
}

function HourCell({ due, most, open, showAll, move }: HourCellProps) {
  const { t } = useTranslation();
  const shown = due.length > most ? due.slice(0, most - 1) : due;
  return (
    <td>
      {shown.map(callback => (
        <DueButton key={callback.id} callback={callback} open={open} move={move} />
      ))}
      {shown.length < due.length && (
        <button type="button" className={`link ${styles.more}`} onClick={showAll}>
          {t('callbacks.more', { count: due.length - shown.length })}
        </button>
      )}
    </td>
  );
}

function DueButton({ callback, open, move }: Pick<HourCellProps, 'open' | 'move'> & { callback: CallbackRowFragment }) {
  const { t } = useTranslation();
  const { dueAt, status, note, agent, databaseId } = callback;
  const isLate = status === 'PROMISED' && new Date(dueAt).getTime() < Date.now();
  return (
    <button
      type="button"
      className={`${styles.due} ${styles[isLate ? 'late' : status.toLowerCase()] ?? ''}`}
      title={[t(`callbackStatus.${status}`), agent?.name, note, ownTime(dueAt)].filter(Boolean).join(' · ')}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
      onClick={() => open(databaseId)}
      onKeyDown={event => move(event, callback)}
    >
      <span className={styles.time}>{localOf(dueAt).slice(11)}</span> {personOf(callback)}
      {agent && <span className={styles.agent}>{agent.name}</span>}
      <span className={styles.hidden}>{t(isLate ? 'callbacks.late' : `callbackStatus.${status}`)}</span>
    </button>
  );
}

/** Alt with an arrow moves the callback in focus: a quarter of an hour up and down, a day left and right. */
function useMoveKeys(refuse: (reason: string | null) => void) {
  const { t } = useTranslation();
  const shift = useShift();
  const move = async (moved: CallbackRowFragment, minutes: number): Promise<void> => {
    const reason = await shift(moved, minutes).catch((error: Error) => error.message);
    refuse(reason);
    if (reason !== null) return;
    const at = new Date(moved.dueAt).getTime() + minutes * 60_000;
    sayDone(t('callbacks.moved', { person: personOf(moved), at: formatAbout(at) }));
  };
  return (event: KeyboardEvent, callback: CallbackRowFragment): void => {
    const minutes = MOVES[event.key];
    if (!event.altKey || minutes === undefined) return;
    event.preventDefault();
    void move(callback, minutes);
  };
}

/** Day and hour, as the cells of the calendar are named. */
function hourKey(instant: string): string {
  return `${localOf(instant).slice(0, 10)} ${hourOf(instant)}`;
}

function hourOf(instant: string): number {
  return Number(localOf(instant).slice(11, 13));
}

/** The working hours, and those before and after in which something is due. */
function hoursOf(callbacks: readonly CallbackRowFragment[]): number[] {
  const due = callbacks.map(({ dueAt }) => hourOf(dueAt));
  const from = Math.min(WORKING.from, ...due);
  const to = Math.max(WORKING.to, ...due);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
