import { useTranslation } from 'react-i18next';
import { type Action, useWhyNot } from '../../parts/use-may-or-why.ts';
import { formatTime } from '../../text/format.ts';
import type { OpenCall } from './open-call.ts';

interface CallAction extends Action {
  /** As the schema has it. */
  reason: string | null;
}

/** Why something may not be done with the call: who stands in the way and since when, where it is somebody. */
export function useCallWhyNot(call: OpenCall): (actions: readonly CallAction[], name: string) => string | null {
  const { t } = useTranslation();
  const whyNot = useWhyNot();
  return (actions, name) => {
    const reason = actions.find(action => action.name === name)?.reason ?? '';
    const { who, since } = OTHERS[reason]?.(call) ?? {};
    return who && since ? t(`live.whyNot.${reason}`, { who, at: formatTime(since) }) : whyNot(actions, name);
  };
}

interface Other {
  who: string | undefined;
  since: string | null | undefined;
}

/** By the reason that they are. */
const OTHERS: Readonly<Record<string, (call: OpenCall) => Other>> = {
  WATCHED_BY_ANOTHER: ({ monitorAssignment: monitor }) => ({ who: monitor?.displayName, since: monitor?.assignedAt }),
  ALREADY_CLAIMED: ({ intervention }) => ({ who: intervention?.initiator?.displayName, since: intervention?.requestedAt }),
  ALREADY_ANSWERED: ({ intervention }) => ({ who: intervention?.agent?.name, since: intervention?.consumedAt }),
};
