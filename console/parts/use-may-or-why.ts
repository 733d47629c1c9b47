import { useTranslation } from 'react-i18next';
import { useMe } from '../shell/me.ts';

/** What a permission is called on the page of roles, in a sentence that says what to do for want of it. */
export function useLacks(): (permission: string) => string {
  const { t } = useTranslation();
  // A colon parts namespaces of the texts.
  return permission => t('forbidden.needs', { permission: t(`permission.${permission.replace(':', '_')}.label`) });
}

/** Why the person may not do what takes the permission, in words for a button; null: they may, or it is not known yet. */
export function useMayOrWhy(permission: string): string | null {
  const lacks = useLacks();
  const { may } = useMe();
  return may(permission) === false ? lacks(permission) : null;
}

/** Something that may be done with a thing, as the server tells it with the thing. */
export interface Action {
  name: string;
  allowed: boolean;
  /** The permission. */
  needs: string;
  message: string | null;
}

/** Why one of `actions` may not be done now; null when it may. */
export function useWhyNot(): (actions: readonly Action[], name: string) => string | null {
  const lacks = useLacks();
  const { may } = useMe();
  return (actions, name) => {
    const found = actions.find(action => action.name === name);
    if (found?.allowed) return null;
    return found && may(found.needs) === false ? lacks(found.needs) : (found?.message ?? '');
  };
}
