import { transferNewsExample } from '#protocol/transfers.ts';
import { type Bench, type Check, notSupported, OK, type Verdict, within } from '../check.ts';
import { begin, hangUp, REPORT_MS, untilStarted, untilWhole } from '../course.ts';
import { reportsOf, type SeenCall } from '../seen-call.ts';
import { Fault, insist } from '../fault.ts';

const UNSUPPORTED = 'it answers UNKNOWN_COMMAND';
const AGENT_ID = 12;

/** Sends a command that a runtime need not support; false when it does not. */
async function sendOptional({ server }: Bench, call: SeenCall, name: string, body: object): Promise<boolean> {
  const { answer } = await server.command(call, name, body);
  if (!answer.ok && answer.code === 'UNKNOWN_COMMAND') return false;
  if (!answer.ok) throw new Fault(`${name} was answered ${answer.code} (${answer.msg})`);
  return true;
}

const statusesOf = (call: SeenCall) => reportsOf(call, 'intervention').map(({ body }) => String(Object(body['intervention']).status));

function untilStatus(call: SeenCall, ...wanted: string[]): Promise<string> {
  return within(`a report "intervention" with ${wanted.join(' or ')}`, REPORT_MS, () =>
    statusesOf(call).find(status => wanted.includes(status)),
  );
}

const news = (status: string, interventionId: string | null) => ({
  ...transferNewsExample,
  status,
  interventionId,
  agentId: AGENT_ID,
});

async function stepIn(bench: Bench, when: 'boundary' | 'now'): Promise<Verdict> {
  const call = await begin(bench);
  await untilStarted(call);
  const interventionId = `check-${call.requestId.slice(0, 8)}`;
  if (!(await sendOptional(bench, call, 'intervene', { interventionId, initiatorId: AGENT_ID, agentId: AGENT_ID, when }))) {
    await hangUp(bench, call);
    return notSupported(UNSUPPORTED);
  }
  const fault = `no request to consume at ${when === 'now' ? 'once' : 'the end of a sentence or of the listening'}`;
  const consumed = await within(fault, bench.callMs, () => call.consumed[0]);
  insist(consumed === interventionId, `consume named "${consumed}", not "${interventionId}"`);
  // A runtime with its own agents may bring one in itself; otherwise it requests a transfer, and receives the agent.
  const way = await within(
    'a request for a transfer or a report "intervention"',
    REPORT_MS,
    () => call.isRouted || statusesOf(call).length > 0,
  );
  if (way && call.isRouted) await sendOptional(bench, call, 'transfer', news('joined', interventionId));
  if ((await untilStatus(call, 'active', 'failed')) === 'active') {
    if (call.isRouted) await sendOptional(bench, call, 'transfer', news('ended', interventionId));
    await untilStatus(call, 'ended', 'failed');
  }
  await untilWhole(call, bench.callMs);
  return { kind: 'ok', note: statusesOf(call).join(', ') };
}

export const STEPPING_IN: readonly Check[] = [
  { title: 'somebody steps in at a boundary: consume, active, ended, result', run: bench => stepIn(bench, 'boundary') },
  { title: 'somebody steps in now', run: bench => stepIn(bench, 'now') },
  {
    title: 'an intervention is cancelled: the call goes on to its result',
    async run(bench) {
      const call = await begin(bench);
      await untilStarted(call);
      const interventionId = `check-${call.requestId.slice(0, 8)}`;
      const asked = { interventionId: 'gone', initiatorId: AGENT_ID, agentId: AGENT_ID, when: 'boundary' };
      const isKnown = await sendOptional(bench, call, 'cancel', { interventionId });
      if (!isKnown || !(await sendOptional(bench, call, 'intervene', asked))) {
        await hangUp(bench, call);
        return notSupported(UNSUPPORTED);
      }
      await sendOptional(bench, call, 'cancel', { interventionId: 'gone' });
      // It may have sent the request just before it was notified.
      if (call.consumed.length === 0) await untilWhole(call, bench.callMs);
      return OK;
    },
  },
  {
    title: 'news of a transfer are taken',
    async run(bench) {
      const call = await begin(bench);
      const isKnown = await sendOptional(bench, call, 'transfer', news('unanswered', null));
      await hangUp(bench, call);
      await untilWhole(call, REPORT_MS);
      return isKnown ? OK : notSupported(UNSUPPORTED);
    },
  },
];
