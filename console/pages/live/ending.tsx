import { useQuery } from '@apollo/client/react';
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWhoHungUp } from '../calls/use-who-hung-up.ts';
import { CallEndDocument } from './call-panel.generated.ts';

const LOOK_MS = 2_000;

/** Says that the call has ended, and who hung up once that is recorded. */
export function Ending({ attemptId }: { attemptId: string }) {
  const { t } = useTranslation();
  const whoHungUp = useWhoHungUp();
  const { data, stopPolling } = useQuery(CallEndDocument, {
    variables: { id: attemptId },
    pollInterval: LOOK_MS,
    fetchPolicy: 'network-only',
  });
  const attempt = data?.attempt;
  const who = attempt && whoHungUp(attempt);
  useEffect(() => {
    if (who) stopPolling();
  }, [who, stopPolling]);
  const why = attempt?.userHangup?.reason;
  return (
    <Text>
      {who ? t(why ? 'live.hungUpFor' : 'live.hungUp', { who, why }) : t('live.isOver')}{' '}
      <Link to={`/calls/${attemptId}`}>{t('live.toCall')}</Link>
    </Text>
  );
}
