import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** As the server names itself and what belongs to it; a user may have this name, too. */
const SERVER = 'internal';

interface Actor {
  actorId: string | null;
  actorName: string;
  actor: { displayName: string | null } | null;
}

/** Who did what the audit log tells of: a user by display name; a program's doing is the product's own. */
export function useActorName(): (row: Actor) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ actorId, actorName, actor }) => (actorId === null && actorName === SERVER ? t('audit.internal') : actor?.displayName || actorName),
    [t],
  );
}
