import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CallActionsDocument } from './call-panel.generated.ts';
import type { OpenCall } from './open-call.ts';
import { useTakers } from './taker.tsx';
import { useCallDisabledReason } from './use-call-disabled-reason.ts';

/** Refresh interval in ms of what the call's events do not carry: the status of agents and the participants of a conference. */
const LOOK_MS = 3_000;

/**
 * What the user may do with the call, and whose phone a take-over rings. `reasonOf` gives the reason of each disabled action, and for all of
 * them the same one while they are not known.
 */
export function useCallActions(call: OpenCall, isSupervisor: boolean) {
  const { t } = useTranslation();
  const { id, status, intervention, monitorAssignment } = call;
  const { data, error, refetch } = useQuery(CallActionsDocument, {
    variables: { id, isSupervisor },
    pollInterval: LOOK_MS,
    fetchPolicy: 'network-only',
  });
  const stage = [status, intervention?.status, monitorAssignment?.userId].join();
  useEffect(() => void refetch().catch(() => undefined), [refetch, stage]);
  const takers = useTakers();
  const disabledReasonOf = useCallDisabledReason(call);
  // Before the phones are known, a take-over could ring somebody whom nobody chose.
  const known = data?.node?.__typename === 'LiveCall' && takers ? data.node : null;
  const unknown = t(data && !data.node ? 'live.notThere' : error ? 'acts.unreadable' : 'acts.unknown');
  return { known, takers, refetch, reasonOf: (name: string) => (known ? disabledReasonOf(known.actions, name) : unknown) };
}
