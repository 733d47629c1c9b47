import { useTranslation } from 'react-i18next';
import { useMe } from '../shell/me.ts';

/** Whose clock the hours and days of this page go by; and that instants are told by another, where the browser stands elsewhere. */
export function BusinessZone() {
  const { t } = useTranslation();
  const { timeZone } = useMe();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timeZone === null) return null;
  return <span className="quiet">{t(own === timeZone ? 'businessZone.same' : 'businessZone.other', { zone: timeZone, own })}</span>;
}
