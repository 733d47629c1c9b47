import { Switch, Text, Title } from '@mantine/core';
import { useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAlarmOn, raiseAlarm, turnAlarmOff, turnAlarmOn } from '../../live/alarm.ts';
import { isOver } from '../../live/call-order.ts';
import type { CallStore } from '../../live/call-store.ts';
import { type IntentAlertRowFragment, IntentAlertsDocument, type IntentAlertsSubscription } from '../../live/intent-alerts.generated.ts';
import { CallStoreContext, useCallList } from '../../live/use-calls.ts';
import { useStream } from '../../live/use-stream.ts';
import { Notice } from '../../ui/notice.tsx';
import { Alarm, nameOfAlarm, SeenButton } from './alarm.tsx';
import styles from './live.module.css';

const HELD = 50;

interface AlarmsProps {
  onOpen: (callKey: string) => void;
  /** Whether the user receives only the alerts of their own calls. */
  isOwn: boolean;
}

/**
 * Customers who said a keyword, newest first, until a user acknowledges it; those whose call has ended need no agent and are collapsed
 * below.
 */
export function Alarms({ onOpen, isOwn }: AlarmsProps) {
  const { t } = useTranslation();
  const { state: alerts, isThere, error } = useStream(IntentAlertsDocument, { variables: {}, initial: [], reduce: withAlert });
  const store = useContext(CallStoreContext);
  useCallList(store);
  const open = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  useAlarm(open, isThere, onOpen);
  const ofCalls = [...Map.groupBy(open, ({ callKey }) => callKey)].map(([callKey, said]) => ({ callKey, said }));
  const waiting = ofCalls.filter(({ callKey }) => isGoingOn(store, callKey));
  const missed = ofCalls.filter(each => !waiting.includes(each));
  return (
    <section className={`sheet ${styles.alarms}`} aria-label={t('live.alarms')}>
      <div className={styles.alarmsHead}>
        <Title order={2}>{t('live.alarmCount', { count: waiting.length })}</Title>
        <SoundSwitch />
      </div>
      {error && <Notice error={error} />}
      {isThere && open.length === 0 && <Text className="quiet">{t(isOwn ? 'live.noAlarmsOwn' : 'live.noAlarms')}</Text>}
      <ol>
        {waiting.map(({ callKey, said }, index) => (
          <Alarm key={callKey} said={said} onOpen={onOpen} isFirst={index === 0} />
        ))}
      </ol>
      {missed.length > 0 && (
        <details className={styles.missed}>
          <summary>{t('live.missed', { count: missed.length })}</summary>
          <p>
            <SeenButton alerts={missed.flatMap(({ said }) => said)}>{t('live.acknowledgeAll')}</SeenButton>
          </p>
          <ol>
            {missed.map(({ callKey, said }) => (
              <Alarm key={callKey} said={said} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

/**
 * Whether the call goes on, as far as the page knows: the stream is truncated when there are too many calls, and empty before the first
 * snapshot.
 */
function isGoingOn(store: CallStore, callKey: string): boolean {
  const call = store.call(callKey);
  return call ? !isOver(call) : store.isTruncated() || !store.isThere();
}

function SoundSwitch() {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(isAlarmOn);
  return (
    <Switch
      size="xs"
      label={t('live.sound')}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => {
        setOn(checked);
        if (checked) void turnAlarmOn();
        else turnAlarmOff();
      }}
    />
  );
}

/** Sounds for each new alert, not for those that were already there. */
function useAlarm(open: readonly IntentAlertRowFragment[], isThere: boolean, onOpen: (callKey: string) => void): void {
  const { t } = useTranslation();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!isThere) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...open.map(({ id }) => id)]);
    const raised = before && open.find(({ id }) => !before.has(id));
    if (!raised) return;
    const { callKey, keyword } = raised;
    raiseAlarm({ title: t('live.alarmOf', { keyword }), text: nameOfAlarm(raised), tag: callKey, open: () => onOpen(callKey) });
  }, [open, isThere, onOpen, t]);
}

function withAlert(
  alerts: readonly IntentAlertRowFragment[],
  { intentAlerts: event }: IntentAlertsSubscription,
): readonly IntentAlertRowFragment[] {
  if (event.__typename === 'IntentAlertsSnapshot') return event.alerts;
  if (event.__typename === 'Resync') return alerts;
  const { alert } = event;
  return alerts.some(({ id }) => id === alert.id)
    ? alerts.map(each => (each.id === alert.id ? alert : each))
    : [alert, ...alerts].slice(0, HELD);
}
