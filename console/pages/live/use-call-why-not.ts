import { useTranslation } from 'react-i18next';
import { type Action, useWhyNot } from '../../parts/use-may-or-why.ts';
import { useMe } from '../../shell/me.ts';
import { formatTime } from '../../text/format.ts';
import type { OpenCall } from './open-call.ts';

interface CallAction extends Action {
  /** As the schema has it. */
  reason: string | null;
}

/** Why something may not be done with the call: who stands in the way and since when, where it is somebody, and what helps. */
export function useCallWhyNot(call: OpenCall): (actions: readonly CallAction[], name: string) => string | null {
  const { t, i18n } = useTranslation();
  const { may } = useMe();
  const whyNot = useWhyNot();
  return (actions, name) => {
    const found = actions.find(action => action.name === name);
    // What no role of theirs may do is another matter than what this call does not let.
    if (!found?.reason || may(found.needs) === false) return whyNot(actions, name);
    const { who, since } = OTHERS[found.reason]?.(call) ?? {};
    const isSomebody = found.reason in OTHERS;
    const key = [`live.whyNot.${name}.${found.reason}`, `live.whyNot.${found.reason}`].find(each => i18n.exists(each));
    if (!key || (isSomebody && !(who && since))) return whyNot(actions, name);
    return t(key, { who, at: since && formatTime(since) });
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
