import { useTranslation } from 'react-i18next';
import { useMe } from '../api/me.ts';

/** A sentence that names a permission as the page of roles does, and says how to get it. */
export function usePermissionMissing(): (permission: string) => string {
  const { t } = useTranslation();
  // A colon would separate namespaces of the texts.
  return permission => t('forbidden.needs', { permission: t(`permission.${permission.replace(':', '_')}.label`) });
}

/** Why the user lacks a permission, for a disabled button; null: they have it, or it is still loading. */
export function useDisabledReason(permission: string): string | null {
  const lacks = usePermissionMissing();
  const { may } = useMe();
  return may(permission) === false ? lacks(permission) : null;
}

/** An action on an object, as the server returns it with the object. */
export interface Action {
  name: string;
  allowed: boolean;
  /** Required permission. */
  needs: string;
  message: string | null;
}

/** Why one of `actions` is disabled now; null when it is allowed. */
export function useActionDisabledReason(): (actions: readonly Action[], name: string) => string | null {
  const lacks = usePermissionMissing();
  const { may } = useMe();
  return (actions, name) => {
    const found = actions.find(action => action.name === name);
    if (found?.allowed) return null;
    return found && may(found.needs) === false ? lacks(found.needs) : (found?.message ?? '');
  };
}
