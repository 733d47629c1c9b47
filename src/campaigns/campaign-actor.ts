import { CalloutError, notFound } from '#kernel/errors.ts';
import { type CampaignFields, type DialCounts, hasWork } from './campaign.ts';
import { type ActorColumns, type CampaignSnapshot, snapshotOf, statusOf } from '#actors/campaign/context.ts';
import type { CampaignCommand, CampaignEdit, CampaignEvent } from '#actors/campaign/events.ts';
import { campaignMachine, refusalOf } from '#actors/campaign/machine.ts';
import type { ActorHost, FoundActor } from '#platform/actor-host/actor-host.ts';
import type { Aggregate } from '#platform/actor-host/aggregate.ts';
import { machineAggregate } from '#platform/actor-host/machine-aggregate.ts';
import type { Campaign } from './campaign.ts';
import type { CampaignStatus } from './decisions/campaign-bounds.ts';
import { hasFlow } from './decisions/scriptless-calls.ts';
import type { Platform } from '#platform/platform.ts';
import type { CampaignClaims } from './campaign.ts';

export type CampaignHost = ActorHost<CampaignSnapshot, CampaignEvent>;

const SNAPSHOT_VERSION = 1;

/** Status, phase and fields of a campaign; its snapshot is the campaign's row. */
export function campaignAggregate(): Aggregate<CampaignSnapshot, CampaignEvent> {
  const aggregate = machineAggregate<CampaignSnapshot['context'], CampaignEvent>({
    type: 'campaign',
    machine: campaignMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`campaign snapshot of an unknown version ${snapshot.v}`);
    },
  });
  return aggregate as Aggregate<CampaignSnapshot, CampaignEvent>;
}

/** Parses the snapshot of a campaign that the host writes. */
export function parseCampaign(snapshot: string): CampaignSnapshot {
  return JSON.parse(snapshot) as CampaignSnapshot;
}

/** A campaign's row with the columns of its actor. */
export interface CampaignActorRow extends ActorColumns {
  campaign: Campaign;
  actorVersion: number;
}

/** Converts a campaign's row to the state of its actor. The host counts versions from 1 for an existing actor. */
export function foundActor({ campaign, actorVersion, ...stored }: CampaignActorRow): FoundActor<CampaignSnapshot> {
  return { version: actorVersion + 1, state: snapshotOf(campaign, stored), meta: null };
}

/** Like `foundActor`, in the form that the store returns. */
export function actorOf(row: CampaignActorRow): { version: number; snapshot: string; meta: null } {
  const { version, state } = foundActor(row);
  return { version, snapshot: JSON.stringify({ v: SNAPSHOT_VERSION, ...state }), meta: null };
}

export interface OrderDeps extends Pick<Platform, 'ids'> {
  campaignHost: Pick<CampaignHost, 'send'>;
  dials: Pick<CampaignClaims, 'loadPlan'>;
}

/** A user's command: a move, an edit, or both in one commit. */
export interface CampaignOrder {
  by: string;
  to?: CampaignStatus | undefined;
  /** Returns the edited fields, or null to keep them; throws to refuse. */
  edit?: (current: CampaignFields) => CampaignEdit | null;
}

/**
 * Applies a user's command to a campaign. A refused command writes nothing.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT; NOTHING_TO_CALL; those of `edit`; INVALID_ARGUMENT for an invalid reference;
 *         DATABASE_UNAVAILABLE
 * Source: OCS §3 "Campaign status", D5.2
 */
export async function orderCampaign(
  deps: OrderDeps,
  campaignId: number,
  order: CampaignOrder,
): Promise<{ before: CampaignSnapshot; after: CampaignSnapshot }> {
  const prospects = order.to === undefined ? NO_PROSPECTS : await readProspects(deps, campaignId);
  const outcome = await deps.campaignHost.send(String(campaignId), state => commandOf(state, order, prospects), `order:${deps.ids()}`);
  if (outcome.kind === 'absent') throw notFound('活动');
  return { before: outcome.kind === 'applied' ? outcome.before : outcome.state, after: outcome.state };
}

/** Facts about a campaign on which a move depends. */
export interface Prospects {
  counts: DialCounts;
  /** Whether a script or the runtime's own flow leads the calls. Source: D5.6 */
  hasFlow: boolean;
}

const NO_PROSPECTS: Prospects = { counts: { pending: 0, held: 0, retryable: 0, dueRetries: 0, active: 0 }, hasFlow: false };

async function readProspects({ dials }: OrderDeps, campaignId: number): Promise<Prospects> {
  const plan = await dials.loadPlan(campaignId);
  if (plan === null) throw notFound('活动');
  return { counts: plan.counts, hasFlow: hasFlow(plan) };
}

/** Decides from the state that fences the commit; null when there is nothing to do. */
function commandOf(state: CampaignSnapshot, { by, to, edit }: CampaignOrder, prospects: Prospects): CampaignCommand | null {
  const from = statusOf(state.value);
  // A page that sends the current status back requests no move.
  const moves = to !== undefined && (to !== from || to === 'running');
  const move = moves ? moveTo(to, by, prospects) : null;
  const refusal = moves || from === 'archived' ? refusalOf(from, to ?? from, move) : null;
  if (refusal) throw new CalloutError(refusal.code, refusal.message, refusal);
  const edited = edit?.(state.context.fields) ?? null;
  if (edited === null) return move;
  return { ...(move ?? { type: 'editRequested', by }), edit: edited };
}

/** Returns the command that moves to the status; null when there is none. */
export function moveTo(to: CampaignStatus, by: string, { counts, hasFlow: isLed }: Prospects): CampaignCommand | null {
  if (to === 'running') return { type: 'startRequested', hasWork: hasWork(counts), hasFlow: isLed, by };
  if (to === 'paused') return { type: 'pauseRequested', by };
  if (to === 'archived') return { type: 'archiveRequested', activeCalls: counts.active, by };
  return null;
}
