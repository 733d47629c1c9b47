import { useTranslation } from 'react-i18next';
import { useMe } from '../api/me.ts';

/**
 * Names the time zone of the hours and days on this page; when the browser's zone differs, also that instants are in the browser's zone.
 */
export function BusinessZone() {
  const { t } = useTranslation();
  const { timeZone } = useMe();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timeZone === null) return null;
  return <span className="quiet">{t(own === timeZone ? 'businessZone.same' : 'businessZone.other', { zone: timeZone, own })}</span>;
}
