import { only } from '#test/support/only.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { overlay } from '#kernel/json.ts';
import { seededRandom } from '#kernel/random.ts';
import type { CampaignFields, CampaignClaims } from '#campaigns/campaign.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { campaignAggregate, type CampaignHost, orderCampaign } from '#campaigns/campaign-actor.ts';
import type { ActorStore } from '#platform/actor-host/actor-store.ts';

/** A campaign host over a store; its effects do nothing but add their names to `effects`. */
export function campaignHostOver(store: ActorStore, effects: string[] = []): CampaignHost {
  const collect = (name: string) => [name, async () => void effects.push(name)];
  const executors = ['forgetScriptless', 'wakeDispatch', 'cancelClaims', 'recordEvent', 'raiseAlert'].map(collect);
  return new ActorHost(
    { store, clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog },
    { aggregate: campaignAggregate(), executors: Object.fromEntries(executors) },
  );
}

/** Changes only fields of a campaign, as a user's edit does. */
export function editCampaign(store: ActorStore, campaignId: number, changes: Partial<CampaignFields>) {
  const deps = { campaignHost: campaignHostOver(store), dials: only<CampaignClaims>({ loadPlan: async () => null }), ids: systemIds };
  const given = Object.keys(changes) as (keyof CampaignFields)[];
  return orderCampaign(deps, campaignId, { by: 'admin', edit: current => ({ fields: overlay(current, changes), given }) });
}
