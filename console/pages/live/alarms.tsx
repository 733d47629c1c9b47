import { useMutation } from '@apollo/client/react';
import { Switch, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAlarmOn, raiseAlarm, turnAlarmOff, turnAlarmOn } from '../../live/alarm.ts';
import { type IntentAlertRowFragment, IntentAlertsDocument, type IntentAlertsSubscription } from '../../live/intent-alerts.generated.ts';
import { useStream } from '../../live/use-stream.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { AcknowledgeAlertDocument } from '../../parts/alert.generated.ts';
import { Notice } from '../../parts/notice.tsx';
import { useNow } from '../../parts/use-now.ts';
import { formatAge, formatDateTime } from '../../text/format.ts';
import styles from './live.module.css';

const HELD = 50;
const AGES_MS = 5_000;

/** Customers who said a keyword, newest first, until somebody acknowledges. */
export function Alarms({ onOpen }: { onOpen: (callKey: string) => void }) {
  const { t } = useTranslation();
  const { state: alerts, isThere, error } = useStream(IntentAlertsDocument, { variables: {}, initial: [], reduce: withAlert });
  const [acknowledge, { loading, error: refused }] = useMutation(AcknowledgeAlertDocument);
  const open = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  useAlarm(open, isThere, onOpen);
  const now = useNow(AGES_MS);
  return (
    <section className={`sheet ${styles.alarms}`} aria-label={t('live.alarms')}>
      <div className={styles.alarmsHead}>
        <Title order={2}>{t('live.alarmCount', { count: open.length })}</Title>
        <SoundSwitch />
      </div>
      {(error ?? refused) && <Notice error={error ?? (refused as Error)} />}
      {isThere && open.length === 0 && <Text className="quiet">{t('live.noAlarms')}</Text>}
      <ol>
        {open.map(({ id, databaseId, callKey, keyword, campaign, at }, index) => (
          <li key={id}>
            <span>
              <button type="button" className="link" onClick={() => onOpen(callKey)}>
                “{keyword}”
              </button>
              <Text size="xs" className="quiet" title={formatDateTime(at)}>
                {campaign && `${campaign.name} · `}
                {formatAge(at, now)}
              </Text>
            </span>
            <ActButton
              size="compact-xs"
              variant="default"
              loading={loading && index === 0}
              act={() => void acknowledge({ variables: { id: databaseId } })}
              {...(index === 0 ? { shortcut: 'A' } : {})}
            >
              {t('live.acknowledge')}
            </ActButton>
          </li>
        ))}
      </ol>
    </section>
  );
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

/** Sounds for each alert that comes, not for those that were there. */
function useAlarm(open: readonly IntentAlertRowFragment[], isThere: boolean, onOpen: (callKey: string) => void): void {
  const { t } = useTranslation();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!isThere) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...open.map(({ id }) => id)]);
    const raised = before && open.find(({ id }) => !before.has(id));
    if (!raised) return;
    const { callKey, keyword, campaign } = raised;
    raiseAlarm({ title: t('live.alarmOf', { keyword }), text: campaign?.name ?? '', tag: callKey, open: () => onOpen(callKey) });
  }, [open, isThere, onOpen, t]);
}

function withAlert(
  alerts: readonly IntentAlertRowFragment[],
  { intentAlerts: told }: IntentAlertsSubscription,
): readonly IntentAlertRowFragment[] {
  if (told.__typename === 'IntentAlertsSnapshot') return told.alerts;
  if (told.__typename === 'Resync') return alerts;
  const { alert } = told;
  return alerts.some(({ id }) => id === alert.id)
    ? alerts.map(each => (each.id === alert.id ? alert : each))
    : [alert, ...alerts].slice(0, HELD);
}
