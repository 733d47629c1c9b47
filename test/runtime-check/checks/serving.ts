import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { type Bench, type Check, OK, within } from '../check.ts';
import { hangUp, REPORT_MS, take, untilWhole } from '../course.ts';
import { Fault, insist } from '../fault.ts';
import { reportsOf, type SeenCall } from '../seen-call.ts';

const SECONDS = RUNTIME_CARE.firstWordMs / 1_000;

function isHeard(call: SeenCall): boolean {
  const speaks = call.captions.some(({ segment }) => Object(segment).speaker === 'bot');
  return speaks || reportsOf(call, 'started').length > 0;
}

/** Runs a call until the runtime is heard, then the customer hangs up. */
async function hear(bench: Bench): Promise<SeenCall> {
  const call = bench.server.prepare();
  await take(bench, call);
  await within(`it is mute: it took the call and said nothing, neither "started" nor a caption of the bot`, RUNTIME_CARE.firstWordMs, () =>
    isHeard(call),
  );
  await hangUp(bench, call);
  return call;
}

/** Conditions of the server before it gives customers to a runtime, or continues to. Source: I9, `dispatch.runtimeCare` */
export const SERVING: readonly Check[] = [
  {
    title: 'is not deaf: the probe, an empty start, is answered within 1 s',
    async run({ server, runtimeId }) {
      const answered = await server.offerRaw(runtimeId, '{}').catch((error: unknown) => {
        if (error instanceof Fault) throw new Fault(`it is deaf or slow: ${error.message}`);
        throw error;
      });
      insist(!answered.answer.ok, 'it took a start that is none');
      return OK;
    },
  },
  {
    title: 'is not full while it has places',
    async run(bench) {
      const { server, runtimeId } = bench;
      const self = server.runtimes.get(runtimeId)?.self;
      const call = server.prepare();
      const { answer } = await server.offer(runtimeId, call);
      const places = `${self?.active} of ${self?.maxCalls} calls`;
      if (!answer.ok) throw new Fault(`it says that it has ${places} and answers ${answer.code}: its places are not free`);
      await hangUp(bench, call);
      return OK;
    },
  },
  {
    title: `is not mute: started, or a caption of the bot, within ${SECONDS} s`,
    async run(bench) {
      await untilWhole(await hear(bench), REPORT_MS);
      return OK;
    },
  },
  {
    title: 'names its own epoch and runtimeId in reports and captions',
    async run(bench) {
      const call = await hear(bench);
      await within('the report "result"', REPORT_MS, () => reportsOf(call, 'result').length > 0);
      const wrong = call.faults.filter(fault => fault.includes('epoch'));
      insist(wrong.length === 0, `the server refuses it as STALE_EPOCH: ${[...new Set(wrong)].join('; ')}`);
      const names = [...call.captions, ...call.reports.map(({ body }) => body)].map(({ runtimeId }) => runtimeId ?? bench.runtimeId);
      const strangers = names.filter(name => name !== bench.runtimeId);
      insist(strangers.length === 0, `the server refuses it: it reports as ${JSON.stringify(strangers[0])}, and is "${bench.runtimeId}"`);
      return OK;
    },
  },
];
