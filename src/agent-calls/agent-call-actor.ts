import type { AgentCallContext, AgentCallInput } from '#actors/agent-call/context.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { agentCallMachine } from '#actors/agent-call/machine.ts';
import type { AgentReservationsPart } from '#agents/agent-directory.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { LegStorePart } from '#legs/leg-record.ts';
import type { Line } from '#lines/line.ts';
import type { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { Aggregate } from '#platform/actor-host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';
import { isCustomerLeg } from '#platform/freeswitch/channel-uuid.ts';
import type { SwitchEvent, PhonesPart } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { SoftphoneCall, SoftphoneStore } from './agent-call.ts';
import type { Place } from '#dialling/decisions/assess.ts';
import type { LegsPart } from '#legs/originate-leg.ts';

export type AgentCallState = MachineState<AgentCallContext>;
export type AgentCallHost = ActorHost<AgentCallState, AgentCallEvent>;

/** Written with each snapshot; raise it and add an `upgrade` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 1;

/** Static facts of a call, stored beside its state. */
export interface AgentCallMeta {
  softphoneCallId: number;
  /** Uuid of the customer's channel. */
  requestId: string;
  /** Uuid of the agent's leg. */
  fence: string;
  agentId: number;
  phoneExtension: string;
  realm: string;
  cellId: string;
  campaignId: number | null;
  /** Normalised number for comparisons; absent from calls that an older version opened. */
  dialKey?: string;
  /** Number as the line dials it: only `+`, digits, `*`, `#`. */
  destination: string;
  /** Digits to send once the customer has answered; absent from calls that an older version opened. */
  extension?: string;
  callerNumber: string | null;
  line: Pick<Line, 'id' | 'dialStringTemplate' | 'callerIdName' | 'callerIdHeaderMode'>;
  timeoutSeconds: number;
}

export function agentCallAggregate(): Aggregate<AgentCallState, AgentCallEvent> {
  return machineAggregate<AgentCallContext, AgentCallEvent>({
    type: 'agentCall',
    machine: agentCallMachine,
    snapshotVersion: SNAPSHOT_VERSION,
    upgrade: snapshot => {
      throw new Error(`agent call snapshot of an unknown version ${snapshot.v}`);
    },
  });
}

/** Starts the call: the agent's phone rings once the actor is committed. */
export function openAgentCall(host: AgentCallHost, meta: AgentCallMeta, input: AgentCallInput): Promise<boolean> {
  const first = firstDecision<AgentCallContext>(agentCallMachine, input);
  return host.create(meta.requestId, first, JSON.stringify(meta), `open:${meta.requestId}`);
}

export function parseAgentCall(meta: string | null): AgentCallMeta | null {
  return meta === null ? null : JSON.parse(meta);
}

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/** Forwards switch events of a customer's channel to its call. Errors: CACHE_UNAVAILABLE; a probe then makes up for the lost event */
export async function handleCustomerEvent(host: AgentCallHost, event: SwitchEvent): Promise<void> {
  if (!('requestId' in event) || !isCustomerLeg(event.requestId)) return;
  await host.send(event.requestId, customerEvent(event), event.eventId);
}

function customerEvent(event: ChannelEvent): AgentCallEvent {
  switch (event.kind) {
    case 'channel_created':
      return { type: 'customerSent' };
    case 'ringing':
      return { type: 'customerRinging' };
    case 'answered':
      return { type: 'customerAnswered', at: event.at };
    case 'hung_up':
      return { type: 'customerHungUp', cause: event.cause, by: event.by, answeredAt: event.answeredAt, at: event.at };
    default:
      return event satisfies never;
  }
}

export interface AgentCallsPart {
  softphoneCalls: SoftphoneStore;
  agentCallHost: AgentCallHost;
}

export type AgentCallApp = Pick<AgentCallsPart, 'softphoneCalls'> &
  AgentReservationsPart &
  LegStorePart &
  LegsPart &
  PhonesPart &
  SlotsPart &
  Place &
  Pick<Platform, 'db' | 'switchPort' | 'clock' | 'ids' | 'log'>;

/** Records read per page. */
const PAGE = 200;
/** Least age of a record without an actor before it is closed, in ms: the reservation lease and a margin. */
const MIN_AGE_MS = 35_000;

/**
 * Closes records whose actor was never created, or was lost with the cache, once none of their channels exists.
 *
 * Why:    an instance may die between the record and the first ring; while a cell cannot be probed, its records stay open
 * Source: A6 steps 3 and 10, D12.7
 */
export async function sweepAgentCalls(app: AgentCallApp & AgentCallsPart): Promise<number> {
  let closed = 0;
  for await (const page of openCalls(app)) {
    for (const call of page) if (await isLost(app, call)) closed += Number(await closeLostCall(app, call));
  }
  return closed;
}

/** Probes the legs of every call at a cell that is reachable again, because their events may have been lost. Source: A6 step 11 */
export async function suspectCalls(app: AgentCallsPart & Pick<Platform, 'ids'>, cellId: string): Promise<void> {
  for await (const page of openCalls(app)) {
    const there = page.filter(call => call.legs.some(leg => leg.cellId === cellId));
    await Promise.all(there.map(call => app.agentCallHost.send(call.requestId, { type: 'callSuspected' }, `suspect:${app.ids()}`)));
  }
}

async function* openCalls({ softphoneCalls }: Pick<AgentCallsPart, 'softphoneCalls'>): AsyncGenerator<SoftphoneCall[]> {
  let page: SoftphoneCall[] = [];
  do {
    page = await softphoneCalls.listOpen(page.at(-1)?.id ?? 0, PAGE);
    yield page;
  } while (page.length === PAGE);
}

async function isLost(app: AgentCallApp & AgentCallsPart, call: SoftphoneCall): Promise<boolean> {
  if (app.clock.now() - call.createdAt < MIN_AGE_MS) return false;
  if ((await app.agentCallHost.find(call.requestId)) !== null) return false;
  try {
    for (const leg of call.legs) {
      if (leg.cellId !== null && (await app.switchPort.probe(leg.cellId, leg.legUuid)).kind !== 'absent') return false;
    }
    return true;
  } catch (error) {
    if (isCalloutError(error, 'SWITCH_UNAVAILABLE')) return false;
    throw error;
  }
}

async function closeLostCall(app: AgentCallApp, call: SoftphoneCall): Promise<boolean> {
  for (const leg of call.legs) if (leg.role === 'agent') await app.agentReservations.release(leg.legUuid);
  const wasAnswered = call.answeredAt !== null;
  const closed = await app.softphoneCalls.close(call.id, {
    status: wasAnswered ? 'completed' : 'failed',
    endedAt: app.clock.now(),
    hangupCause: 'UNKNOWN',
    failureReason: wasAnswered ? null : '实例中断，未能完成呼叫',
  });
  await app.slots.release([call.requestId]);
  return closed;
}
