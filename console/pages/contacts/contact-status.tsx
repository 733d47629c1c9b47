import { useTranslation } from 'react-i18next';
import type { ContactRowFragment } from './contacts.generated.ts';

export type ContactStatus = ContactRowFragment['status'];

export const CONTACT_STATUSES: readonly ContactStatus[] = ['PENDING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'PAUSED'];

const TONES: Record<ContactStatus, string> = {
  PENDING: '',
  SUBMITTED: '',
  COMPLETED: 'tone-answered',
  FAILED: 'tone-failed',
  PAUSED: 'quiet',
};

interface StatusProps {
  status: ContactStatus;
  /** When it is called again; null: never. */
  retryAt: string | null;
}

/** Status as the campaign counts it: a failed contact with a pending retry is not given up. */
export function ContactStatusText({ status, retryAt }: StatusProps) {
  const { t } = useTranslation();
  if (status === 'FAILED' && retryAt !== null) return <span className="tone-waiting">{t('campaign.awaitingRetry')}</span>;
  return <span className={TONES[status]}>{t(`contactStatus.${status}`)}</span>;
}
