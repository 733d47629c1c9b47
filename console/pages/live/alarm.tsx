import { useMutation } from '@apollo/client/react';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { IntentAlertRowFragment } from '../../live/intent-alerts.generated.ts';
import { formatAge } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { fullTime } from '../../text/zone.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useNow } from '../../ui/use-now.ts';
import { AcknowledgeAlertDocument } from '../runtime-events/alert.generated.ts';

const AGES_MS = 5_000;

interface AlarmProps {
  /** The alerts of one call, newest first. */
  said: readonly IntentAlertRowFragment[];
  /** Absent when the call has ended: it can be read, but needs no agent. */
  onOpen?: (callKey: string) => void;
  /** Whether the shortcut key acknowledges this alert. */
  isFirst?: boolean;
}

/** A customer who said keywords: name, words, time, and a button that opens the call. */
export function Alarm({ said, onOpen, isFirst = false }: AlarmProps) {
  const { t } = useTranslation();
  const now = useNow(AGES_MS);
  const [newest] = said;
  if (!newest) return null;
  const { callKey, attemptId, campaign, at } = newest;
  const name = nameOfAlarm(newest);
  return (
    <li>
      <span>
        {onOpen ? (
          <button type="button" className="link" onClick={() => onOpen(callKey)}>
            {name}
          </button>
        ) : (
          <Link to={`/calls/${attemptId}`}>{name}</Link>
        )}
        <Text size="xs" className="quiet" title={fullTime(at)}>
          <b className="tone-person">{[...new Set(said.map(({ keyword }) => t('live.keyword', { keyword })))].join(' ')}</b>{' '}
          {campaign && `${campaign.name} · `}
          {formatAge(at, now)}
        </Text>
      </span>
      {onOpen && (
        <SeenButton alerts={said} {...(isFirst ? { shortcut: 'A' } : {})}>
          {t('live.acknowledge')}
        </SeenButton>
      )}
    </li>
  );
}

/** Name of the customer, as far as the call and its contact still exist. */
export function nameOfAlarm({ keyword, attempt }: Pick<IntentAlertRowFragment, 'keyword' | 'attempt'>): string {
  return [attempt?.contact?.customerName, attempt && formatPhone(attempt.phoneNumber)].filter(Boolean).join(' ') || keyword;
}

interface SeenProps {
  alerts: readonly IntentAlertRowFragment[];
  shortcut?: string;
  children: ReactNode;
}

/** Acknowledges the alerts for all users. */
export function SeenButton({ alerts, shortcut, children }: SeenProps) {
  const [acknowledge, { loading, error }] = useMutation(AcknowledgeAlertDocument);
  const all = () => Promise.all(alerts.map(({ databaseId }) => acknowledge({ variables: { id: databaseId } }))).catch(() => undefined);
  return (
    <span>
      <ActButton
        size="compact-xs"
        variant="default"
        loading={loading}
        act={() => void all()}
        {...(shortcut === undefined ? {} : { shortcut })}
      >
        {children}
      </ActButton>
      {error && (
        <Text role="alert" size="xs" className="tone-failed">
          {error.message}
        </Text>
      )}
    </span>
  );
}
