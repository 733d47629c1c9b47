import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { formatTime } from '../../text/format.ts';
import { type Action, useActionDisabledReason } from '../../ui/use-disabled-reason.ts';
import type { OpenCall } from './open-call.ts';

interface CallAction extends Action {
  /** Reason code of the schema. */
  reason: string | null;
}

/** Why an action on the call is disabled: another user's name and since when, where a user is the cause, and what helps. */
export function useCallDisabledReason(call: OpenCall): (actions: readonly CallAction[], name: string) => string | null {
  const { t, i18n } = useTranslation();
  const { may } = useMe();
  const disabledReasonOf = useActionDisabledReason();
  return (actions, name) => {
    const found = actions.find(action => action.name === name);
    // A missing permission needs another explanation than a state of the call.
    if (!found?.reason || may(found.needs) === false) return disabledReasonOf(actions, name);
    const part = found.reason === 'FORBIDDEN' ? PARTS[name] : undefined;
    if (part) return t(`live.whyNot.part.${part}`, { dispatch: t('permission.campaign_dispatch.label') });
    const { who, since } = OTHERS[found.reason]?.(call) ?? {};
    const isSomebody = found.reason in OTHERS;
    const key = [`live.whyNot.${name}.${found.reason}`, `live.whyNot.${found.reason}`].find(each => i18n.exists(each));
    if (!key || (isSomebody && !(who && since))) return disabledReasonOf(actions, name);
    return t(key, { who, at: since && formatTime(since) });
  };
}

/** The part in the call that an action needs of who may not dispatch. */
const PARTS: Readonly<Record<string, 'talks' | 'watches' | 'listens' | 'claimed'>> = {
  TRANSFER: 'talks',
  CONSULT: 'talks',
  HAND_BACK: 'talks',
  HOLD: 'talks',
  MUTE: 'talks',
  KEYPAD: 'talks',
  CLAIM: 'watches',
  HINT: 'watches',
  SAY: 'watches',
  LISTEN: 'listens',
  BARGE: 'listens',
  CANCEL_CLAIM: 'claimed',
};

interface Other {
  who: string | undefined;
  since: string | null | undefined;
}

/** The other user, by reason code. */
const OTHERS: Readonly<Record<string, (call: OpenCall) => Other>> = {
  WATCHED_BY_ANOTHER: ({ monitorAssignment: monitor }) => ({ who: monitor?.displayName, since: monitor?.assignedAt }),
  ALREADY_CLAIMED: ({ intervention }) => ({ who: intervention?.initiator?.displayName, since: intervention?.requestedAt }),
  ALREADY_ANSWERED: ({ intervention }) => ({ who: intervention?.agent?.name, since: intervention?.consumedAt }),
};
