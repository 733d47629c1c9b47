import type { PacingDeps } from '#dialling/send-paced.ts';
import { sendForPerson } from '#dialling/send-for-person.ts';
import type { OriginateCommand, SwitchPort } from '#ports/switch.ts';
import type { SlotGrant } from '#ports/slot-registry.ts';
import type { Line } from '#model/line.ts';
import type { Region } from '#rules/dial-key.ts';
import { dialledNumber } from '#rules/dialled-number.ts';
import { phoneTemplate } from '../agents/phone-address.ts';

/** Whom a leg calls, and over what. */
export type Callee = Pick<
  OriginateCommand,
  'destinationNumber' | 'dialStringTemplate' | 'callerIdNumber' | 'callerIdName' | 'callerIdHeaderMode'
>;

/** An agent's phone, which shows `callerIdNumber`; null when nobody knows its domain. */
export function phoneCallee(realm: string, phoneExtension: string, callerIdNumber: string | null): Callee | null {
  const dialStringTemplate = phoneTemplate(realm);
  const common = { destinationNumber: phoneExtension, callerIdNumber, callerIdName: null, callerIdHeaderMode: 'caller_id_only' } as const;
  return dialStringTemplate === null ? null : { ...common, dialStringTemplate };
}

/** A number outside, over the line of its slot and as that line dials it. */
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

export interface PersonDialDeps extends PacingDeps {
  switchPort: Pick<SwitchPort, 'originate' | 'cells'>;
  /** From the mark to the socket write at the latest (A6 step 6), ms. */
  sendDeadlineMs: number;
}

export interface LegDial {
  command: Omit<OriginateCommand, 'sendBefore'>;
  /** Request id of the slot in whose turn it leaves; null: it holds none, and takes its cell's turn alone. */
  slotId: string | null;
  /** Why it may not leave, in Chinese; null: it may. Asked when its turn has come, so that the wait makes no verdict old (D8.6). */
  refusal?: () => Promise<string | null>;
  /** Wins the right to send this leg, once for ever. */
  mark: () => Promise<boolean>;
}

/** `sent`: it left, or may have left. `not_ours`: somebody else has sent it, or it is over. Of the others it is certain that nothing rings. */
export type LegDialed =
  | { kind: 'sent' | 'not_ours' }
  | { kind: 'barred' | 'not_sent'; reason: string }
  | { kind: 'refused'; cause: string };

/**
 * Dials one person, by phone or over a line, into a conference or not: the only way in which a leg leaves.
 *
 * Why:    the caller may run again after a crash, an originate may not: nothing is sent without winning the mark, and what may have left is settled by
 *         events and probes
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

/** An extension holds no slot, but is a start of the cell like any other (A10). */
function cellTurn({ switchPort }: PersonDialDeps, { requestId, cellId }: LegDial['command']) {
  const cell = switchPort.cells().find(each => each.cellId === cellId);
  return { requestId, ...(cell && { cell: { cellId, maxPerSecond: cell.maxOriginatesPerSecond } }) };
}
