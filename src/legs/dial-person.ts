import type { LegContext } from '#actors/leg/context.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { legMachine } from '#actors/leg/machine.ts';
import { phoneTemplate } from '#agents/sip-config.ts';
import { slotCells, slotLines } from '#dialling/decisions/slot-offer.ts';
import type { DialPlan, DialStore } from '#dialling/dial-store.ts';
import { type PacingDeps, sendForPerson } from '#dialling/send.ts';
import type { Line } from '#lines/line.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { dialledNumber } from '#phone-numbers/dialled-number.ts';
import { machineAggregate } from '#platform/actor-host/machine-aggregate.ts';
import type { OriginateCommand, SwitchPort } from '#platform/freeswitch/switch.ts';
import type { SlotGrant, SlotRefusal, SlotRegistry } from '#slots/slot-registry.ts';
import type { Leg, LegChange } from './leg-record.ts';
import type { LegStatus } from './leg.ts';

const aggregate = machineAggregate<LegContext, LegEvent>({
  type: 'leg',
  machine: legMachine,
  snapshotVersion: 1,
  upgrade: () => {
    throw new Error('the row of a leg is its snapshot');
  },
});

/** Decides an event on the row of a leg; null when nothing changes. */
export function decideLeg<Row extends Leg>(leg: Row, event: LegEvent): LegChange<Row> | null {
  const decision = aggregate.decide({ value: leg.status, context: leg }, event);
  if (!decision) return null;
  const { state, effects } = decision;
  const after = { ...leg, ...state.context, status: state.value as LegStatus };
  return { leg: after, isNew: after.status !== leg.status || state.context !== leg, effects };
}

export interface PersonLineDeps {
  dials: Pick<DialStore, 'loadPlan'>;
  /** Enabled lines of the installation, for calls that belong to no campaign. */
  enabledLines: () => Promise<Line[]>;
}

/** Lines for a call to an outside number. */
interface PersonLines {
  /** Null without a campaign: every line of the installation may be used. */
  plan: DialPlan | null;
  /** Enabled lines, in the campaign's order. */
  lines: Line[];
}

/** Returns null when the campaign does not exist. */
export async function personLines(deps: PersonLineDeps, campaignId: number | null): Promise<PersonLines | null> {
  const plan = campaignId === null ? null : await deps.dials.loadPlan(campaignId);
  if (campaignId !== null && plan === null) return null;
  return { plan, lines: plan === null ? await deps.enabledLines() : plan.lines.filter(line => line.isEnabled) };
}

/** Campaign and weight under which a slot is counted, besides line, number and cell. */
export interface SlotAccount {
  campaignId: number;
  /** Precedence on a shared line. */
  weight: number;
  campaignMax: number;
}

/** Account of calls that belong to no campaign and are not bound by a campaign's limit. */
export const NO_CAMPAIGN = { campaignId: 0, campaignMax: 1_000_000 };

/** Reserves line, number and cell for a single call that an agent or user is waiting for. */
export async function reserveLine(
  { slots, switchPort }: { slots: Pick<SlotRegistry, 'reserve'>; switchPort: Pick<SwitchPort, 'cells'> },
  request: { requestId: string; cellId: string | null; lines: readonly Line[]; account: SlotAccount },
): Promise<{ grant: SlotGrant | undefined; refusal: SlotRefusal | null }> {
  const { requestId, cellId, lines, account } = request;
  const { grants, refusal } = await slots.reserve({
    ...account,
    callIntervalMs: 0,
    startsNow: true,
    lines: slotLines({ lines }),
    cells: cellId === null ? [] : slotCells({ campaign: { cellId } }, switchPort.cells()),
    requestIds: [requestId],
  });
  return { grant: grants[0], refusal };
}

/** Destination of a leg, with the dial string and caller id to use. */
export type Callee = Pick<
  OriginateCommand,
  'destinationNumber' | 'dialStringTemplate' | 'callerIdNumber' | 'callerIdName' | 'callerIdHeaderMode'
>;

/** An agent's phone, which shows `callerIdNumber`; null when its SIP domain is unknown. */
export function phoneCallee(realm: string, phoneExtension: string, callerIdNumber: string | null): Callee | null {
  const dialStringTemplate = phoneTemplate(realm);
  const common = { destinationNumber: phoneExtension, callerIdNumber, callerIdName: null, callerIdHeaderMode: 'caller_id_only' } as const;
  return dialStringTemplate === null ? null : { ...common, dialStringTemplate };
}

/** An outside number over the line of its slot, in that line's number format. */
export function lineCallee(
  lines: readonly Line[],
  { lineId, number }: SlotGrant,
  { dialKey, region }: { dialKey: string; region: Region },
): Callee {
  const line = lines.find(each => each.id === lineId);
  if (!line) throw new Error('a slot was granted on a line that was not offered');
  const destinationNumber = dialledNumber(dialKey, region, line);
  if (destinationNumber === null) throw new Error('a number that cannot be dialled was given a line');
  const { dialStringTemplate, callerIdNumber, callerIdName, callerIdHeaderMode } = line;
  return { destinationNumber, dialStringTemplate, callerIdNumber: number ?? callerIdNumber, callerIdName, callerIdHeaderMode };
}

interface PersonDialDeps extends PacingDeps {
  switchPort: Pick<SwitchPort, 'originate' | 'cells'>;
  /** Longest delay from the mark to the socket write (A6 step 6), in ms. */
  sendDeadlineMs: number;
}

interface LegDial {
  command: Omit<OriginateCommand, 'sendBefore'>;
  /** Request id of the slot whose turn the leg takes; null for a leg without a slot, which takes only a turn of its cell. */
  slotId: string | null;
  /** Returns why the leg must not be dialled, in Chinese, or null. Evaluated when its turn has come, so that waiting cannot outdate it (D8.6). */
  refusal?: () => Promise<string | null>;
  /** Claims the right to send this leg; succeeds only once. */
  mark: () => Promise<boolean>;
}

/** `sent`: it left, or may have left. `not_ours`: another instance sent it, or the leg is over. With all other kinds, nothing rings. */
export type LegDialed =
  | { kind: 'sent' | 'not_ours' }
  | { kind: 'barred' | 'not_sent'; reason: string }
  | { kind: 'refused'; cause: string };

/**
 * Dials one person, by extension or over a line, into a conference or not: every originate of a leg goes through here.
 *
 * Why:    the caller may run again after a crash, but an originate must never be repeated: nothing is sent without winning the mark, and
 *         events and probes settle a leg that may have left
 * Source: A6 steps 5–6, D8.6, A10
 */
export async function dialPerson(deps: PersonDialDeps, { command, slotId, refusal, mark }: LegDial): Promise<LegDialed> {
  const verdict: { barred: string | null } = { barred: null };
  const reply = await sendForPerson(deps, {
    turn: slotId === null ? cellTurn(deps, command) : { requestId: slotId, leg: command.requestId },
    sendDeadlineMs: deps.sendDeadlineMs,
    mark: async () => {
      verdict.barred = (await refusal?.()) ?? null;
      return verdict.barred === null && mark();
    },
    originate: sendBefore => deps.switchPort.originate({ ...command, sendBefore }),
  });
  if (verdict.barred !== null) return { kind: 'barred', reason: verdict.barred };
  if (reply === null) return { kind: 'not_ours' };
  if (reply.kind === 'refused') return { kind: 'refused', cause: reply.cause };
  return reply.kind === 'not_sent' ? { kind: 'not_sent', reason: reply.replyText } : { kind: 'sent' };
}

/** A call to an extension holds no slot, but counts as a start of the cell like any other (A10). */
function cellTurn({ switchPort }: PersonDialDeps, { requestId, cellId }: LegDial['command']) {
  const cell = switchPort.cells().find(each => each.cellId === cellId);
  return { requestId, ...(cell && { cell: { cellId, maxPerSecond: cell.maxOriginatesPerSecond } }) };
}
