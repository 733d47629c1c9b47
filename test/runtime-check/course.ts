import type { StartCommand } from '#protocol/hand-over.ts';
import type { ResultReportInput } from '#protocol/result.ts';
import { type Bench, within } from './check.ts';
import type { Answered } from './played-server.ts';
import { reportsOf, resultOf, type SeenCall, type SeenReport } from './seen-call.ts';
import { Fault, insist } from './fault.ts';

/** Longest time from the end of a call to its reports, in ms. Source: A4 */
export const REPORT_MS = 10_000;
const KINDS = ['started', 'ended', 'result'] as const;

/** Hands a call over; the runtime must accept it. */
export async function begin(bench: Bench, changes: Partial<StartCommand> = {}): Promise<SeenCall> {
  const call = bench.server.prepare(changes);
  await take(bench, call);
  return call;
}

/** Offers a call unchanged; the runtime must accept it, or have it already. */
export async function take({ server, runtimeId }: Bench, call: SeenCall): Promise<Answered> {
  const answered = await server.offer(runtimeId, call);
  expectHere(answered, { runtimeId, call, name: 'start' });
  return answered;
}

/** Expects `ok` with the runtime and the current epoch. */
export function expectHere({ answer }: Answered, { runtimeId, call, name }: { runtimeId: string; call: SeenCall; name: string }): void {
  if (!answer.ok) throw new Fault(`${name} was answered ${answer.code} (${answer.msg}), not ok`);
  insist(answer.runtimeId === runtimeId, `the answer to ${name} says runtimeId "${String(answer.runtimeId)}", not "${runtimeId}"`);
  const { epoch } = call.offer;
  insist(answer.epoch === epoch, `the answer to ${name} says epoch ${String(answer.epoch)}, not ${String(epoch)}`);
}

/** Hangs up the customer. */
export async function hangUp(bench: Bench, call: SeenCall): Promise<void> {
  const answered = await bench.server.command(call, 'hangup', { cause: 'NORMAL_CLEARING', by: 'customer' });
  expectHere(answered, { runtimeId: bench.runtimeId, call, name: 'hangup' });
}

/** Waits for `started` under the current epoch. */
export function untilStarted(call: SeenCall): Promise<unknown> {
  const { epoch } = call.offer;
  const name = `the report "started"${call.epochs.length > 1 ? ` under the epoch ${String(epoch)}` : ''}`;
  return within(name, REPORT_MS, () => inForce(call).some(({ kind }) => kind === 'started'));
}

/** Reports under the current epoch; each epoch has its own `started`. */
function inForce({ offer, reports }: SeenCall): SeenReport[] {
  return reports.filter(({ body }) => body['epoch'] === undefined || body['epoch'] === offer.epoch);
}

/** Waits for the result, then checks all reports of the call. A repeated report may be overtaken: `ordered: false`. */
export async function untilWhole(call: SeenCall, timeoutMs: number, { ordered = true } = {}): Promise<ResultReportInput> {
  await within('the report "result"', timeoutMs, () => call.faults.length > 0 || reportsOf(call, 'result').length > 0);
  if (!ordered) await within('started, ended and result', REPORT_MS, () => KINDS.every(kind => reportsOf(call, kind).length > 0));
  insist(call.faults.length === 0, [...new Set(call.faults)].join('; '));
  const result = resultOf(call);
  if (result === null) throw new Fault('the result is not valid');
  insist((result.callStatus ?? null) !== null, 'the result has no callStatus');
  for (const kind of KINDS) expectOnce(call, kind);
  const order = inForce(call)
    .map(({ kind }) => kind)
    .filter(kind => kind !== 'intervention');
  insist(!ordered || order.join() === KINDS.join(), `reports came as ${order.join(', ')}: started, ended, result is their order`);
  return result;
}

function expectOnce(call: SeenCall, kind: string): void {
  const found = inForce(call).filter(report => report.kind === kind);
  insist(found.length > 0, `there is no report "${kind}"`);
  const ids = found.map(({ messageId }) => messageId).join(', ');
  insist(found.length === 1, `"${kind}" was reported ${found.length} times (Nats-Msg-Id ${ids})`);
}

/** Ends calls that a check has left, so that the next one finds the runtime empty. */
export async function tidy({ server }: Bench): Promise<void> {
  const open = server.calls().filter(call => reportsOf(call, 'result').length === 0 && reportsOf(call, 'started').length > 0);
  // The runtime may have none of these calls any more, which is fine too.
  await Promise.all(open.map(call => server.command(call, 'hangup', { cause: 'NORMAL_CLEARING' }).catch(() => null)));
}
