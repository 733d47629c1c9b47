import { type ActorColumns, type CampaignSnapshot, snapshotOf, statusOf } from '#actors/campaign/context.ts';
import type { CampaignAlert, CampaignEffects } from '#actors/campaign/effects.ts';
import type { CampaignCommand, CampaignEdit, CampaignEvent, LeftContacts } from '#actors/campaign/events.ts';
import { campaignMachine, refusalOf } from '#actors/campaign/machine.ts';
import { blockedReason } from '#actors/campaign/obstacles.ts';
import { unreachable } from '#kernel/assert.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { ActorHost, FoundActor } from '#platform/actor-host/actor-host.ts';
import type { Aggregate, Executors } from '#platform/actor-host/aggregate.ts';
import { machineAggregate } from '#platform/actor-host/machine-aggregate.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import type { Platform } from '#platform/platform.ts';
import { WINDOW_TEXTS } from '#policies/decisions/calling-window.ts';
import { SILENT_LINE_REMEDY } from '#protocol/call-status.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { recordNoRuntime } from '#runtimes/record-runtimes.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import { type Campaign, type CampaignFields, type DialCounts, hasWork, type ClaimsPart } from './campaign.ts';
import { type BreakerOpening, MAX_SILENT_DIALS } from './decisions/breaker.ts';
import { type CampaignStatus, hasFlow, NO_SCRIPT_TEXT, type ScriptlessCalls } from './decisions/campaign-states.ts';

/**
 * Raises the alert that a campaign's breaker has opened, once per opening.
 *
 * Source: D14.3 campaign.blocked
 */
export async function notifyBlocked(
  { events }: RuntimeEventsPart,
  campaignId: number,
  { openedAt, report }: BreakerOpening,
): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '活动呼叫大量失败，已暂停外呼',
    message: blockedReason(report),
    campaignId,
    detail: { dials: report.dials, failures: report.failures, causes: { ...report.causes } },
    dedupeKey: `breaker:${campaignId}:${openedAt}`,
  });
}

/**
 * Raises the alert that a campaign stops for lack of a script, once per stop.
 *
 * Source: D5.6, D14.3 campaign.blocked
 */
async function notifyScriptless(
  { events }: RuntimeEventsPart,
  campaignId: number,
  { calls, script, since, reason }: ScriptlessCalls & { reason: string },
): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '没有可用话术，已停止外呼',
    message: reason,
    campaignId,
    detail: { calls, script },
    dedupeKey: `scriptless:${campaignId}:${since}`,
  });
}

/**
 * Raises an alert for each line, with its gateway, whose far end never responds; once per finding.
 *
 * Source: D7.1, D14.3 line.silent
 */
async function notifySilentLines(
  { events, dials }: ClaimsPart & RuntimeEventsPart,
  campaignId: number,
  { lineIds, at }: { lineIds: readonly number[]; at: number },
): Promise<void> {
  const plan = await dials.loadPlan(campaignId);
  for (const { id, name, dialStringTemplate } of plan?.lines.filter(line => lineIds.includes(line.id)) ?? []) {
    const template = readDialTemplate(dialStringTemplate);
    const gateway = template.kind === 'allowed' ? (template.gateway ?? template.host) : null;
    const named = gateway === null ? `线路「${name}」` : `线路「${name}」（网关 ${gateway}）`;
    const message = `${named}连续 ${MAX_SILENT_DIALS} 次呼叫没有收到对端的任何应答；这些呼叫不计入联系人的次数。${SILENT_LINE_REMEDY}`;
    await events.record({
      level: 'error',
      type: 'line.silent',
      title: `线路「${name}」没有任何应答`,
      message,
      campaignId,
      detail: { lineId: id, line: name, gateway, calls: MAX_SILENT_DIALS },
      dedupeKey: `silent_line:${campaignId}:${id}:${at}`,
    });
  }
}

/**
 * Raises the alert that the business of a running campaign has lost its script.
 *
 * Units:  `at` is the dispatch turn that found it, UTC ms
 * Source: D5.6, D14.3 campaign.blocked
 */
async function notifyNoScript({ events }: RuntimeEventsPart, campaignId: number, { at }: { at: number }): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '没有可用话术，已停止外呼',
    message: NO_SCRIPT_TEXT,
    campaignId,
    detail: {},
    dedupeKey: `no_script:${campaignId}:${at}`,
  });
}

/**
 * Raises the alert that a campaign waits because too many of its calls were abandoned.
 *
 * Units:  `at` is the dispatch turn that found it, UTC ms
 * Source: D8.11, D14.3 campaign.abandonment_limit
 */
async function notifyAbandonment(
  { events }: RuntimeEventsPart,
  campaignId: number,
  { at, reason, until }: Extract<CampaignAlert, { kind: 'abandonment' }>,
): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.abandonment_limit',
    title: '接通后无人应答的来电超过上限，已停止外呼',
    message: reason,
    campaignId,
    detail: { until: until === null ? null : new Date(until).toISOString() },
    dedupeKey: `abandonment:${campaignId}:${at}`,
  });
}

const TITLES: Record<CampaignEffects['recordEvent']['type'], string> = {
  'campaign.started': '活动已启动',
  'campaign.paused': '活动已暂停',
  'campaign.completed': '活动已完成',
};

type CampaignEffectsApp = ClaimsPart & SlotsPart & RuntimeEventsPart & Pick<Platform, 'wake'>;

/** Executors of a campaign's effects; idempotent, and repeated by the outbox until done. */
export function campaignEffects(app: CampaignEffectsApp): Executors<CampaignEffects, CampaignSnapshot> {
  return {
    async forgetScriptless(_, { id }) {
      await app.dials.forgetScriptless(Number(id));
      // This effect and `wakeDispatch` run in no fixed order.
      app.wake.campaign(Number(id));
    },
    async wakeDispatch(_, { id }) {
      app.wake.campaign(Number(id));
    },
    async cancelClaims({ reason }, { id }) {
      await app.slots.release(await app.dials.cancelClaims(Number(id), reason));
    },
    raiseAlert: (alert, { id }) => raiseAlert(app, Number(id), alert),
    async recordEvent({ type, by, left }, { id, effectId }) {
      await app.events.record({
        level: 'info',
        type,
        title: TITLES[type],
        message: by === null ? leftText(left) : `操作人：${by}`,
        campaignId: Number(id),
        ...(left ? { detail: { ...left } } : {}),
        dedupeKey: `${type}:${id}:${effectId}`,
      });
    },
  };
}

/** Counts the contacts that the scheduled end leaves undialled; empty when there are none. Source: D5.2 */
function leftText(left: LeftContacts | undefined): string {
  if (left === undefined) return '';
  const { pending, held, retryable, promised } = left;
  const parts = [
    [pending, '待呼叫'],
    [held, '等待限制解除'],
    [retryable, '待重试'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, label]) => `${label} ${count} 个`);
  const callbacks = promised > 0 ? `，其中约定了回访 ${promised} 个` : '';
  return `${WINDOW_TEXTS.schedule_over}${named.length === 0 ? '' : `，剩余联系人：${named.join('，')}${callbacks}`}`;
}

function raiseAlert(app: CampaignEffectsApp, campaignId: number, alert: CampaignAlert): Promise<void> {
  switch (alert.kind) {
    case 'breaker':
      return notifyBlocked(app, campaignId, alert);
    case 'silentLines':
      return notifySilentLines(app, campaignId, alert);
    case 'scriptless':
      return notifyScriptless(app, campaignId, alert);
    case 'noScript':
      return notifyNoScript(app, campaignId, alert);
    case 'abandonment':
      return notifyAbandonment(app, campaignId, alert);
    case 'runtime':
      return recordNoRuntime(app.events, { campaignId, ...alert });
    default:
      return unreachable(alert);
  }
}

export type CampaignHost = ActorHost<CampaignSnapshot, CampaignEvent>;

export interface CampaignsPart {
  campaignHost: CampaignHost;
}

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
  return JSON.parse(snapshot);
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

/** A user's command: a move, an edit, or both in one commit. */
interface CampaignOrder {
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
  app: CampaignsPart & ClaimsPart & Pick<Platform, 'ids'>,
  campaignId: number,
  order: CampaignOrder,
): Promise<{ before: CampaignSnapshot; after: CampaignSnapshot }> {
  const prospects = order.to === undefined ? NO_PROSPECTS : await readProspects(app, campaignId);
  const outcome = await app.campaignHost.send(String(campaignId), state => commandOf(state, order, prospects), `order:${app.ids()}`);
  if (outcome.kind === 'absent') throw notFound('活动');
  return { before: outcome.kind === 'applied' ? outcome.before : outcome.state, after: outcome.state };
}

/** Facts about a campaign on which a move depends. */
interface Prospects {
  counts: DialCounts;
  /** Whether a script or the runtime's own flow leads the calls. Source: D5.6 */
  hasFlow: boolean;
}

const NO_PROSPECTS: Prospects = { counts: { pending: 0, held: 0, retryable: 0, dueRetries: 0, active: 0, promised: 0 }, hasFlow: false };

async function readProspects({ dials }: ClaimsPart, campaignId: number): Promise<Prospects> {
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
