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

export function ContactStatusText({ status }: { status: ContactStatus }) {
  const { t } = useTranslation();
  return <span className={TONES[status]}>{t(`contactStatus.${status}`)}</span>;
}
