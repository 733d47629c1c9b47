import type { Bench, Check } from '../check.ts';
import { OK, pause } from '../check.ts';
import { begin, expectHere, hangUp, REPORT_MS, take, untilStarted, untilWhole } from '../course.ts';
import type { SeenCall } from '../seen-call.ts';
import { insist } from '../fault.ts';

/** Time for reports in transit at the release to arrive, in ms. */
const SETTLE_MS = 700;
/** How long the runtime is watched for silence, in ms. */
const SILENCE_MS = 3_000;

const traceOf = ({ reports, captions, endCalls }: SeenCall) => ({ reports: reports.length, captions: captions.length, endCalls });

/** The runtime has lost the call: it sends neither reports nor captions, and hangs up nobody. */
async function expectSilence(call: SeenCall): Promise<void> {
  await pause(SETTLE_MS);
  const before = traceOf(call);
  await pause(SILENCE_MS);
  const after = traceOf(call);
  insist(after.endCalls === 0, 'it asked to end a call that was not its own any more');
  insist(after.reports === before.reports, `it went on reporting: ${call.reports.map(({ kind }) => kind).join(', ')}`);
  insist(after.captions === before.captions, 'it went on speaking: captions came');
  insist(!call.reports.some(({ kind }) => kind === 'result'), 'it reported a result of a call that was not its own any more');
}

async function beginAnd(bench: Bench, print: (call: SeenCall) => void) {
  const call = await begin(bench);
  await untilStarted(call);
  print(call);
  await expectSilence(call);
  return OK;
}

export const OWNING: readonly Check[] = [
  {
    title: 'a start with a newer epoch is adopted: answers and reports carry it, and started is reported again',
    async run(bench) {
      const call = await begin(bench);
      await untilStarted(call);
      bench.server.renew(call);
      await take(bench, call);
      expectHere(await bench.server.command(call, 'ping', {}), { runtimeId: bench.runtimeId, call, name: 'ping' });
      await untilStarted(call);
      await hangUp(bench, call);
      const { epoch } = await untilWhole(call, REPORT_MS);
      insist(epoch === call.offer.epoch, `the result says epoch ${String(epoch)}, the last start said ${String(call.offer.epoch)}`);
      return OK;
    },
  },
  {
    title: 'release: it falls silent, nobody is hung up',
    run: bench =>
      beginAnd(bench, call => {
        const epoch = (call.offer.epoch ?? 0) + 1;
        bench.server.notify(bench.runtimeId, 'release', { requestId: call.requestId, epoch, reason: 'superseded' });
      }),
  },
  {
    title: 'a report is rejected as STALE_EPOCH: it falls silent',
    run: bench =>
      beginAnd(bench, call => {
        const { requestId } = call;
        const subject = `callout.v1.runtime.started.${requestId}`;
        const rejection = { subject, code: 'STALE_EPOCH', field: 'epoch', reason: '该通话已交给另一话术引擎', requestId };
        bench.server.notify(bench.runtimeId, 'rejected', rejection);
      }),
  },
];
