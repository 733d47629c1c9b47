import { type Bench, type Check, leftOut, OK, pause } from '../check.ts';
import { begin, expectHere, hangUp, REPORT_MS, take, untilStarted, untilWhole } from '../course.ts';
import { reportsOf } from '../seen-call.ts';
import { Fault, insist } from '../fault.ts';

/** A runtime with more capacity cannot be filled here. */
const MAX_FILLED = 50;
/** Time within which a script that was started twice would show itself, in ms. */
const SECOND_SCRIPT_MS = 500;

export const TAKING: readonly Check[] = [
  {
    title: 'takes a call in 1 s: started, captions, the end, ended, result',
    async run(bench) {
      const call = await begin(bench);
      const { hangupBy, callStatus } = await untilWhole(call, bench.callMs);
      insist(call.captions.length > 0, 'no caption came to the captionSubject of the start');
      insist(call.endCalls > 0, 'it did not ask to end the call (callout.v1.actor.call.<requestId>.hangup) when its script was done');
      insist(hangupBy === 'bot', `the result says hangupBy ${String(hangupBy)}: the runtime ended the call, so it is "bot"`);
      return { kind: 'ok', note: `${call.captions.length} captions, ${callStatus}` };
    },
  },
  {
    title: 'the same start again is answered as before and starts nothing twice',
    run: repeat,
  },
  {
    title: 'a start that is none is refused as INVALID',
    async run({ server, runtimeId }) {
      for (const body of ['{"requestId":"x"}', 'not JSON']) {
        const { answer } = await server.offerRaw(runtimeId, body);
        insist(!answer.ok && answer.code === 'INVALID', `${body} was answered ${answer.ok ? 'ok' : answer.code}, not INVALID`);
      }
      return OK;
    },
  },
  { title: 'more starts than places are answered BUSY', run: fill },
  {
    title: 'the server answers a second late: the call goes on',
    async run(bench) {
      const call = await begin(bench);
      bench.server.lateMs = 1_000;
      try {
        await untilWhole(call, bench.callMs);
      } finally {
        bench.server.lateMs = 0;
      }
      return OK;
    },
  },
  {
    title: 'the customer hangs up: ended and result within 10 s',
    async run(bench) {
      const call = await begin(bench);
      await untilStarted(call);
      await hangUp(bench, call);
      const { hangupBy } = await untilWhole(call, REPORT_MS);
      insist(hangupBy === 'customer', `the result says hangupBy ${String(hangupBy)}, the command said customer`);
      insist(call.endCalls === 0, 'it asked to end a call that was over');
      // The server may repeat it.
      await hangUp(bench, call);
      return OK;
    },
  },
];

async function repeat(bench: Bench) {
  const call = bench.server.prepare();
  const started = bench.server.countSent(call, 'started');
  await Promise.all([take(bench, call), take(bench, call)]);
  await pause(SECOND_SCRIPT_MS);
  await take(bench, call);
  await pause(SECOND_SCRIPT_MS);
  await hangUp(bench, call);
  await untilWhole(call, REPORT_MS);
  await take(bench, call);
  await pause(SECOND_SCRIPT_MS);
  await untilWhole(call, REPORT_MS);
  started.stop();
  insist(started.count() === 1, `"started" was sent ${started.count()} times: two scripts speak to one customer`);
  return OK;
}

async function fill(bench: Bench) {
  const { server, runtimeId } = bench;
  const places = server.runtimes.get(runtimeId)?.self.maxCalls ?? 0;
  if (places > MAX_FILLED) return leftOut(`${places} places are too many to fill: start it with at most ${MAX_FILLED}`);
  const calls = Array.from({ length: places + 1 }, () => server.prepare());
  const answers = await Promise.all(calls.map(async call => ({ call, answer: (await server.offer(runtimeId, call)).answer })));
  const taken = answers.filter(({ answer }) => answer.ok).map(({ call }) => call);
  for (const { answer } of answers) if (!answer.ok) insist(answer.code === 'BUSY', `a start was answered ${answer.code}, not BUSY`);
  insist(taken.length === places, `${taken.length} of ${calls.length} calls were taken, it says maxCalls ${places}`);
  await Promise.all(taken.map(call => hangUp(bench, call)));
  await Promise.all(taken.map(call => untilWhole(call, REPORT_MS)));
  const refused = answers.find(({ answer }) => !answer.ok)?.call;
  if (refused && refused.reports.length > 0) throw new Fault(`a call that was answered BUSY was reported: ${reportKinds(refused.reports)}`);
  await endOf(bench);
  return OK;
}

/** Checks that a freed place is used again. */
async function endOf(bench: Bench): Promise<void> {
  const call = await begin(bench);
  await hangUp(bench, call);
  await untilWhole(call, REPORT_MS);
  insist(reportsOf(call, 'result').length === 1, 'after its calls had ended it took none any more');
}

function reportKinds(reports: readonly { kind: string }[]): string {
  return reports.map(({ kind }) => kind).join(', ');
}

export const COMMANDS: readonly Check[] = [
  {
    title: 'ping is answered with runtimeId and epoch',
    async run(bench) {
      const call = await begin(bench);
      expectHere(await bench.server.command(call, 'ping', {}), { runtimeId: bench.runtimeId, call, name: 'ping' });
      return OK;
    },
  },
  {
    title: 'a command that it does not know is answered UNKNOWN_COMMAND',
    async run(bench) {
      const call = await begin(bench);
      const { answer } = await bench.server.command(call, 'juggle', {});
      insist(!answer.ok && answer.code === 'UNKNOWN_COMMAND', `it was answered ${answer.ok ? 'ok' : answer.code}`);
      return OK;
    },
  },
];
