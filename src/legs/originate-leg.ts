import { phoneTemplate } from '#agents/sip-config.ts';
import { sendForPerson } from '#dialling/send.ts';
import type { Line } from '#lines/line.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { dialledNumber } from '#phone-numbers/dialled-number.ts';
import type { OriginateCommand } from '#platform/freeswitch/switch.ts';
import type { SlotGrant, SlotsPart } from '#slots/slot-registry.ts';
import type { Platform } from '#platform/platform.ts';

/** Destination of a leg, with the dial string and caller id to use. */
export type Callee = Pick<
  OriginateCommand,
  'destinationNumber' | 'dialStringTemplate' | 'callerIdNumber' | 'callerIdName' | 'callerIdHeaderMode' | 'digitsAfterAnswer'
>;

/** An agent's phone, which shows `callerIdNumber`; null when its SIP domain is unknown. */
export function phoneCallee(realm: string, phoneExtension: string, callerIdNumber: string | null): Callee | null {
  const dialStringTemplate = phoneTemplate(realm);
  const common = { destinationNumber: phoneExtension, callerIdNumber, callerIdName: null, callerIdHeaderMode: 'caller_id_only' } as const;
  return dialStringTemplate === null ? null : { ...common, dialStringTemplate };
}

/** An outside number over the line of its slot, in that line's number format. `extension`: digits to send after the answer, or empty. */
export function lineCallee(
  lines: readonly Line[],
  { lineId, number }: SlotGrant,
  { dialKey, region, extension }: { dialKey: string; region: Region; extension: string },
): Callee {
  const line = lines.find(each => each.id === lineId);
  if (!line) throw new Error('a slot was granted on a line that was not offered');
  const destinationNumber = dialledNumber(dialKey, region, line);
  if (destinationNumber === null) throw new Error('a number that cannot be dialled was given a line');
  const { dialStringTemplate, callerIdNumber, callerIdName, callerIdHeaderMode } = line;
  const caller = { callerIdNumber: number ?? callerIdNumber, callerIdName, callerIdHeaderMode };
  return { destinationNumber, dialStringTemplate, ...caller, digitsAfterAnswer: extension };
}

/** How legs are dialled. */
export interface LegsPart {
  /** Longest delay from the mark to the socket write (A6 step 6), in ms. */
  sendDeadlineMs: number;
  originateTimeoutSeconds: (cellId: string) => number;
}

type OriginateApp = SlotsPart & Pick<LegsPart, 'sendDeadlineMs'> & Pick<Platform, 'switchPort' | 'clock' | 'log'>;

interface LegOriginate {
  command: Omit<OriginateCommand, 'sendBefore'>;
  /** Request id of the slot whose turn the leg takes; null for a leg without a slot, which takes only a turn of its cell. */
  slotId: string | null;
  /** Returns why the leg must not be dialled, in Chinese, or null. Evaluated when its turn has come, so that waiting cannot outdate it (D8.6). */
  refusal?: () => Promise<string | null>;
  /** Claims the right to send this leg; succeeds only once. */
  mark: () => Promise<boolean>;
}

/** `sent`: it left, or may have left. `not_ours`: another instance sent it, or the leg is over. With all other kinds, nothing rings. */
export type DialOutcome =
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
export async function originateLeg(app: OriginateApp, { command, slotId, refusal, mark }: LegOriginate): Promise<DialOutcome> {
  const verdict: { barred: string | null } = { barred: null };
  const reply = await sendForPerson(app, {
    turn: slotId === null ? cellTurn(app, command) : { requestId: slotId, leg: command.requestId },
    sendDeadlineMs: app.sendDeadlineMs,
    mark: async () => {
      verdict.barred = (await refusal?.()) ?? null;
      return verdict.barred === null && mark();
    },
    originate: sendBefore => app.switchPort.originate({ ...command, sendBefore }),
  });
  if (verdict.barred !== null) return { kind: 'barred', reason: verdict.barred };
  if (reply === null) return { kind: 'not_ours' };
  if (reply.kind === 'refused') return { kind: 'refused', cause: reply.cause };
  return reply.kind === 'not_sent' ? { kind: 'not_sent', reason: reply.replyText } : { kind: 'sent' };
}

/** A call to an extension holds no slot, but counts as a start of the cell like any other (A10). */
function cellTurn({ switchPort }: OriginateApp, { requestId, cellId }: LegOriginate['command']) {
  const cell = switchPort.cells().find(each => each.cellId === cellId);
  return { requestId, ...(cell && { cell: { cellId, maxPerSecond: cell.maxOriginatesPerSecond } }) };
}
