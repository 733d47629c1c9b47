import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePresence } from '../live/use-presence.ts';

/** Keeps a user on duty on every page, and shows that they are. */
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
