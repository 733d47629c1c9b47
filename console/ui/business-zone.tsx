import { useTranslation } from 'react-i18next';
import { useMe } from '../api/me.ts';
import { browserZone } from '../text/business-zone.ts';
import { zoneName } from '../text/zone.ts';

/** Names the time zone of all times on the page; nothing before it is known. */
export function BusinessZone({ className = '' }: { className?: string | undefined }) {
  const { t } = useTranslation();
  const { timeZone: zone } = useMe();
  if (zone === null) return null;
  const own = browserZone();
  return (
    <span className={`quiet ${className}`} title={t(own === zone ? 'businessZone.same' : 'businessZone.other', { zone, own })}>
      {t('businessZone.name', { name: zoneName(zone, Date.now()) })}
    </span>
  );
}
