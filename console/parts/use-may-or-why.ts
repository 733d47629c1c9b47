import { useTranslation } from 'react-i18next';
import { useMe } from '../shell/me.ts';

/** Why the person may not do what takes the permission, in words for a button; null: they may, or it is not known yet. */
export function useMayOrWhy(permission: string): string | null {
  const { t } = useTranslation();
  const { may } = useMe();
  return may(permission) === false ? t('forbidden.needs', { permission }) : null;
}
