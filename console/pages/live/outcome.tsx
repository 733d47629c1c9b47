import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../text/text.ts';
import type { OpenCall } from './open-call.ts';

const COLORS: Record<string, string> = { FAILED: 'red', EXPIRED: 'yellow', CANCELLED: 'gray', ENDED: 'gray' };

/** What became of the claim: that it is under way, that somebody talks, or why it came to nothing. */
export function Outcome({ call: { intervention } }: { call: OpenCall }) {
  const { t } = useTranslation();
  if (!intervention) return null;
  const { status, when, reason } = intervention;
  return (
    <Alert color={COLORS[status] ?? 'violet'} p="xs" my="xs" role="status" title={t(`interventionStatus.${status}`)}>
      {t(status === 'REQUESTED' ? `interventionWhen.${when}` : `interventionOutcome.${status}`)}
      {reason && currentLanguage() === 'zh' && <div>{reason}</div>}
    </Alert>
  );
}
