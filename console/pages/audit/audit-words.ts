import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPhonesIn } from '../../text/phone-number.ts';
import { currentLanguage } from '../../text/text.ts';
import type { AuditRowFragment } from './audit.generated.ts';

interface Choice {
  value: string;
  label: string;
}

const ROW_ID = /^\d+$/;

type Words = Readonly<Record<string, string>>;

/** Labels for audited actions and their targets; the texts list both. */
export function useAuditWords() {
  const { t, i18n } = useTranslation();
  const actionOf = (action: string) => (i18n.exists(`auditAction.${action}`) ? t(`auditAction.${action}`) : action);
  const typeOf = (type: string) => (i18n.exists(`auditTarget.${type}`) ? t(`auditTarget.${type}`) : type);
  const actions = t('auditAction', { returnObjects: true }) as unknown as Readonly<Record<string, Words>>;
  const types = t('auditTarget', { returnObjects: true }) as unknown as Words;
  return {
    actionOf,
    typeOf,
    whoOf: useActorName(),
    /** Name of the target; null for keys that mean nothing to a reader. */
    targetOf: ({ targetType, targetId, targetName }: Pick<AuditRowFragment, 'targetType' | 'targetId' | 'targetName'>) => {
      const which = (targetName && formatPhonesIn(targetName)) ?? (targetId && ROW_ID.test(targetId) ? `#${targetId}` : '');
      return `${typeOf(targetType)} ${which}`.trim();
    },
    /** The server's Chinese summary, which names rows, for Chinese readers; null in another language, where the action is enough. */
    summaryOf: ({ summary }: Pick<AuditRowFragment, 'summary'>) => (currentLanguage() === 'zh' ? summary : null),
    actions: Object.entries(actions).flatMap(([noun, happenings]) =>
      Object.entries(happenings).map(([happened, label]): Choice => ({ value: `${noun}.${happened}`, label })),
    ),
    types: Object.entries(types).map(([value, label]): Choice => ({ value, label })),
  };
}

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
