import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import { usePresence } from '../live/use-presence.ts';

/** Somebody who has said so is on duty on every page, and is told so. */
export function OnDuty({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const { isOnDuty, problem } = usePresence(userId);
  if (!isOnDuty) return null;
  return (
    <Link to="/live" className={problem ? 'tone-failed' : 'tone-person'} title={problem ?? undefined}>
      ● {t('duty.onDuty')}
    </Link>
  );
}
