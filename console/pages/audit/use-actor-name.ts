import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Actor name of the server itself; a user may have this name too. */
const SERVER = 'internal';

interface Actor {
  actorId: string | null;
  actorName: string;
  actor: { displayName: string | null } | null;
}

/** Name of an audited actor: the display name of a user; actions of internal programs count as the product's own. */
export function useActorName(): (row: Actor) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ actorId, actorName, actor }) => (actorId === null && actorName === SERVER ? t('audit.internal') : actor?.displayName || actorName),
    [t],
  );
}
