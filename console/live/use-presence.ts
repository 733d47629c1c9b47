import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { isRefusal } from '../api/refusal.ts';
import { onSessionChange } from '../api/session.ts';
import { LeaveMonitoringDocument, MonitorHeartbeatDocument } from './presence.generated.ts';
import { Presence, type PresenceState } from './presence.ts';

/** Presence of the signed-in user. It outlives the page, so that visiting another page gives no call away. */
let current: { userId: string; presence: Presence } | null = null;

/** Random name of this tab. Not `randomUUID`, which exists only over HTTPS. */
const TAB = crypto.getRandomValues(new Uint32Array(2)).join('-');

onSessionChange(() => {
  current?.presence.close();
  current = null;
});

/** Presence of the user; restricted to a campaign while the page shows only that campaign. */
export function usePresence(userId: string, campaignId = ''): PresenceState & Pick<Presence, 'goOn' | 'goOff'> {
  const presence = presenceOf(userId);
  useEffect(() => {
    if (campaignId === '') return undefined;
    presence.narrow(campaignId);
    return () => presence.narrow(null);
  }, [presence, campaignId]);
  const state = useSyncExternalStore(presence.onChange, presence.state);
  return { ...state, goOn: () => presence.goOn(), goOff: () => presence.goOff() };
}

function presenceOf(userId: string): Presence {
  if (current?.userId !== userId) {
    current?.presence.close();
    current = { userId, presence: new Presence(userId, { beat, leave: () => client.mutate({ mutation: LeaveMonitoringDocument }) }) };
  }
  return current.presence;
}

async function beat(campaignId: string | null) {
  const { data } = await client.mutate({ mutation: MonitorHeartbeatDocument, variables: { campaignId, tabId: TAB } });
  const result = data?.result;
  if (!result || isRefusal(result)) throw new Error(result?.message ?? 'no answer');
  return result.capacity;
}
