import { commandAnswer } from '#protocol/hand-over.ts';
import type { RuntimeScript } from '#protocol/runtime-script.ts';
import { commandSubject, poolSubject } from '#protocol/subjects.ts';
import { progressReport } from '#protocol/progress.ts';
import { resultReport } from '#protocol/result.ts';
import { type Log, type LogFields, silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import type { RecordCall } from '#tools/runtime/call-recording.ts';
import type { Customer } from '#tools/runtime/customer/customer.ts';
import { createOutbox } from '#tools/runtime/report-outbox.ts';
import { startRuntime } from '#tools/runtime/runtime.ts';
import { createScriptSource } from '#tools/runtime/script-source.ts';
import { anOffer, exampleScript, keywordUnderstanding, saying } from './builders.ts';
import { fakeLink } from './fake-link.ts';
import { manualClock } from '#test/support/manual-clock.ts';

export const CALL_ID = anOffer().requestId;

export interface RigOptions {
  script?: RuntimeScript | null;
  customer?: Customer;
  maxCalls?: number;
  speed?: number;
  businessCodes?: string[];
  recordCall?: RecordCall;
  /** The server's replies to hello, beat and bye; no server when absent. */
  pool?: (name: string) => unknown;
}

/** The runtime on a bus in memory, with a virtual clock. */
export function runtimeRig(options: RigOptions = {}) {
  const { script = exampleScript(), customer = saying('可以，你介绍一下。', '明天下午三点吧。'), maxCalls = 10, speed = 1 } = options;
  const clock = manualClock();
  const link = fakeLink(script);
  if (options.pool) link.pool = options.pool;
  const warnings: { message: string; fields: LogFields }[] = [];
  const log: Log = { ...silentLog, warn: (fields, message) => void warnings.push({ message, fields }) };
  const base = { link, clock, random: seededRandom(1), log };
  const outbox = createOutbox(base);
  const runtime = startRuntime({
    ...base,
    runtimeId: 'runtime-1',
    about: { name: 'callout-runtime', version: '1.2.3' },
    maxCalls,
    ...(options.businessCodes ? { businessCodes: options.businessCodes } : {}),
    speed,
    outbox,
    scripts: createScriptSource(link, clock),
    understanding: keywordUnderstanding(),
    customerOf: () => customer,
    recordCall: options.recordCall ?? (() => Promise.resolve(null)),
  });
  const command = async (name: string, body: unknown = {}, requestId = CALL_ID) => {
    // Lets the runtime finish its start.
    await clock.pass(0);
    const answers = link.ask(commandSubject(requestId, name), body);
    await clock.pass(0);
    return answers.map(answer => commandAnswer.parse(answer));
  };
  const start = async (changes: Parameters<typeof anOffer>[0] = {}) => {
    const offer = anOffer(changes);
    return (await command('start', offer, offer.requestId))[0];
  };
  /** Sends a message to this runtime, as the server does. */
  const tell = async (name: 'start' | 'release' | 'rejected', body: unknown) => {
    await clock.pass(0);
    const [answer] = link.ask(poolSubject('runtime-1', name), body);
    await clock.pass(0);
    return answer;
  };
  const reports = () => link.stored.map(({ subject }) => subject.split('.')[3]);
  const result = () => resultReport.parse(link.stored.find(({ subject }) => subject.includes('.result.'))?.body);
  const spoken = () => link.sent.map(({ body }) => progressReport.parse(body)).filter(event => event.segment?.final);
  return { clock, link, runtime, command, start, tell, reports, result, spoken, warnings };
}
