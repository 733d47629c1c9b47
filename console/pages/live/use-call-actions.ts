import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { usePhone } from '../../phone/use-phone.ts';
import { CallActionsDocument, type CallActionsQuery } from './call-panel.generated.ts';
import type { OpenCall } from './open-call.ts';
import { isAbsence, isShown, type PartStage, partStageOf } from './part-in-call.ts';
import { useTakers } from './taker.tsx';
import { useCallDisabledReason } from './use-call-disabled-reason.ts';

/** Refresh interval in ms of what the call's events do not carry: the status of agents and the participants of a conference. */
const LOOK_MS = 3_000;
/** The same while the user's phone has been answered and the customer is about to follow. */
const CONNECTING_MS = 500;

/**
 * Actions of the user on the call, and the agent whose phone a take-over rings. `reasonOf` gives the reason of each disabled action, and for all of
 * them the same one while they are not known.
 */
export function useCallActions(call: OpenCall, isSupervisor: boolean) {
  const { t } = useTranslation();
  const { id, status, intervention, monitorAssignment } = call;
  const { data, error, refetch, startPolling } = useQuery(CallActionsDocument, {
    variables: { id, isSupervisor },
    pollInterval: LOOK_MS,
    fetchPolicy: 'network-only',
  });
  const takers = useTakers();
  const disabledReasonOf = useCallDisabledReason(call);
  // Before the phones are known, a take-over could ring an agent that the user did not choose.
  const known = data?.node?.__typename === 'LiveCall' && takers ? data.node : null;
  const unknown = t(data && !data.node ? 'live.notThere' : error ? 'acts.unreadable' : 'acts.unknown');
  const { stage, ...part } = usePart(call, known, isSupervisor);
  const change = [status, intervention?.status, monitorAssignment?.userId, stage].join();
  useEffect(() => void refetch().catch(() => undefined), [refetch, change]);
  useEffect(() => startPolling(stage === 'CONNECTING' ? CONNECTING_MS : LOOK_MS), [startPolling, stage]);
  const reasonOf = (name: string) => {
    if (!known) return unknown;
    const isPending = stage !== null && stage !== 'TALKING' && isAbsence(codeOf(known, name));
    return isPending ? t(`live.pending.${stage}`) : disabledReasonOf(known.actions, name);
  };
  return { known, takers, refetch, reasonOf, stage, ...part };
}

type Known = Extract<NonNullable<CallActionsQuery['node']>, { __typename: 'LiveCall' }>;

function codeOf({ actions }: Known, name: string): string | null {
  return actions.find(action => action.name === name)?.reason ?? null;
}

interface Part {
  stage: PartStage | null;
  isBrowserPhone: boolean;
  /** Whether the bar has the action. */
  has: (name: string) => boolean;
}

/** The user's part in the call, and which actions that leaves to the bar. */
function usePart(call: OpenCall, known: Known | null, isSupervisor: boolean): Part {
  const { user, may } = useMe();
  const { call: phoneCall } = usePhone();
  const facts = { userId: user?.databaseId ?? '', phoneCall, conferenceId: known?.conferenceId ?? '' };
  const stage = partStageOf(call, { ...facts, holdReason: known && codeOf(known, 'HOLD') });
  const isBrowserPhone = stage !== null && phoneCall !== null && phoneCall.phase !== 'ended';
  const has = (name: string) => {
    const needs = known?.actions.find(action => action.name === name)?.needs;
    return isShown(name, { isPermitted: needs === undefined ? undefined : may(needs), isSupervisor, stage, isBrowserPhone });
  };
  return { stage, isBrowserPhone, has };
}
