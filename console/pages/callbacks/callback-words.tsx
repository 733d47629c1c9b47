import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { formatPhone } from '../../text/phone-number.ts';
import type { CallbackRowFragment } from './callbacks.generated.ts';

/** The customer's name, else the number. */
export function personOf({ contact }: Pick<CallbackRowFragment, 'contact'>): string {
  return contact ? contact.customerName || formatPhone(contact.phoneNumber) : '';
}

/** The state of a callback, with the calls that reached nobody. */
export function CallbackStatus({ callback: { status, endReason, misses } }: { callback: CallbackRowFragment }) {
  const { t } = useTranslation();
  const tone = { PROMISED: 'tone-waiting', KEPT: 'tone-answered', GIVEN_UP: 'tone-failed', CANCELLED: 'quiet' }[status];
  const reason = endReason && status === 'GIVEN_UP' ? t(`callbackEndReason.${endReason}`) : null;
  return (
    <span className={tone}>
      {t(`callbackStatus.${status}`)}
      {reason && ` · ${reason}`}
      {misses > 0 && status === 'PROMISED' && ` · ${t('callbacks.misses', { count: misses, shown: formatCount(misses) })}`}
    </span>
  );
}
