import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { campaignMachine } from '#actors/campaign/machine.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import type { ActorHost } from '#host/actor-host.ts';
import type { Aggregate } from '#host/aggregate.ts';
import { machineAggregate, type MachineState } from '#host/machine-aggregate.ts';
import type { CampaignActor } from '#ports/campaign-actor.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { Campaign, CampaignStatus } from '#ports/records.ts';
import { type CampaignWork, decideCampaignMove } from '#rules/campaign-status.ts';
import { campaignWork } from './campaign-work.ts';

export type CampaignState = MachineState<Record<string, never>>;
export type CampaignHost = ActorHost<CampaignState, CampaignEvent>;

const SNAPSHOT_VERSION = 1;

/** The status machine of a campaign; its snapshot is written with the campaign's row. */
export function campaignAggregate(): Aggregate<CampaignState, CampaignEvent> {
  return machineAggregate<Record<string, never>, CampaignEvent>({
    type: 'campaign',
    machine: campaignMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`campaign snapshot of an unknown version ${snapshot.v}`);
    },
  });
}

export interface CampaignActorDeps {
  host: CampaignHost;
  campaigns: Pick<CampaignStore, 'find'>;
  dials: Pick<DialStore, 'loadPlan'>;
  ids: IdSource;
}

/** People's commands to campaign actors: the facts that decide the move are read first and travel in the event. */
export function campaignActor(deps: CampaignActorDeps): CampaignActor {
  return {
    start: (campaignId, by) =>
      move(deps, campaignId, { to: 'running', event: work => ({ type: 'startRequested', hasWork: hasWork(work), by: by.name }) }),
    pause: (campaignId, by) => move(deps, campaignId, { to: 'paused', event: () => ({ type: 'pauseRequested', by: by.name }) }),
    archive: (campaignId, by) =>
      move(deps, campaignId, {
        to: 'archived',
        event: work => ({ type: 'archiveRequested', activeCalls: work.activeCalls, by: by.name }),
      }),
  };
}

interface Move {
  to: CampaignStatus;
  event: (work: CampaignWork) => CampaignEvent;
}

async function move(deps: CampaignActorDeps, campaignId: number, { to, event }: Move): Promise<Campaign> {
  const plan = await deps.dials.loadPlan(campaignId);
  if (plan === null) throw notFound('活动');
  const work = campaignWork(plan.counts);
  requireMove(plan.campaign.status, to, work);
  const outcome = await deps.host.send(String(campaignId), event(work), `${to}:${deps.ids()}`);
  if (outcome.kind === 'absent') throw notFound('活动');
  const after = await deps.campaigns.find(campaignId);
  if (after === null) throw notFound('活动');
  // Somebody else moved it between the reading and the commit: judge again what is there now.
  if (outcome.kind === 'ignored') requireMove(after.status, to, work);
  // A repeated command moves nothing: whoever asked must not believe that it did.
  if (outcome.kind === 'duplicate' && after.status !== to) throw conflict('活动状态已被其他操作改变，请刷新后重试');
  return after;
}

function requireMove(from: CampaignStatus, to: CampaignStatus, work: CampaignWork): void {
  const decision = decideCampaignMove(from, to, work);
  if (!decision.ok) throw new CalloutError(decision.code, decision.message);
}

function hasWork({ pendingCount, retryableCount, activeCalls }: CampaignWork): boolean {
  return pendingCount + retryableCount + activeCalls > 0;
}
