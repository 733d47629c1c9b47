import { POOL_BEAT_MS } from '#protocol/pool.ts';
import { systemClock } from '#kernel/clock.ts';
import { type Bench, type Check, leftOut, notSupported, OK, pause, type Verdict, within } from '../check.ts';
import { begin, hangUp, REPORT_MS, take, untilStarted, untilWhole } from '../course.ts';
import type { Instance } from '../launcher.ts';
import { reportsOf, resultOf } from '../seen-call.ts';
import { insist } from '../fault.ts';

const NEEDS_RUN = 'needs --run';
/** Duration of an outage of the server or the bus, in ms. */
const AWAY_MS = 6_000;
/** Time for repeated reports, whose intervals grow, in ms. */
const REPEAT_MS = 20_000;
const HELLO_MS = 20_000;
const DRAIN_MS = 60_000;

/** Waits for a heartbeat of the runtime. */
async function untilBeat({ server, runtimeId }: Bench): Promise<void> {
  const since = systemClock.monotonic();
  const words = () => server.runtimes.get(runtimeId)?.words ?? [];
  await within('hello or beat', POOL_BEAT_MS + REPORT_MS, () => words().some(({ at }) => at > since));
}

async function takesCalls(bench: Bench): Promise<void> {
  const call = await begin(bench);
  await hangUp(bench, call);
  await untilWhole(call, REPORT_MS);
}

async function keepResult(bench: Bench): Promise<Verdict> {
  const { server } = bench;
  if (!server.ownsStream) return leftOut('the stream RUNTIME was here before: it is not taken away');
  const call = await begin(bench);
  await untilStarted(call);
  await server.removeStream();
  try {
    await hangUp(bench, call);
    await pause(AWAY_MS);
  } finally {
    await server.makeStream();
  }
  await within('the result, once the stream is there', REPEAT_MS, () => resultOf(call));
  await untilWhole(call, REPORT_MS, { ordered: false });
  return OK;
}

async function restartServer(bench: Bench): Promise<Verdict> {
  const { server } = bench;
  const call = await begin(bench);
  await untilStarted(call);
  server.down();
  try {
    await hangUp(bench, call);
    await pause(AWAY_MS);
  } finally {
    server.up();
  }
  await untilBeat(bench);
  await untilWhole(call, REPORT_MS, { ordered: false });
  await takesCalls(bench);
  return OK;
}

async function restartNats(bench: Bench): Promise<Verdict> {
  if (!bench.nats) return leftOut(bench.launcher ? 'needs a NATS of its own: leave --nats out' : NEEDS_RUN);
  const call = await begin(bench);
  await untilStarted(call);
  await bench.nats.kill();
  await pause(AWAY_MS);
  await bench.nats.restart();
  await untilBeat(bench);
  // Its script may have ended meanwhile.
  if (!resultOf(call)) await hangUp(bench, call);
  await within('the result, once NATS is back', REPEAT_MS, () => resultOf(call));
  await untilWhole(call, REPORT_MS, { ordered: false });
  await takesCalls(bench);
  return OK;
}

/** Starts a second process of the same command, and waits for its hello. */
async function startSecond({ server, launcher, runtimeId }: Bench): Promise<{ instance: Instance; runtimeId: string } | null> {
  const instance = launcher?.start();
  if (!instance) return null;
  const before = new Set(server.runtimes.keys());
  const fresh = await within(`hello of a second process, with another runtimeId than ${runtimeId}`, HELLO_MS, () =>
    [...server.runtimes.keys()].find(id => !before.has(id)),
  );
  return { instance, runtimeId: fresh };
}

async function resume(bench: Bench): Promise<Verdict> {
  const { server, launcher, runtimeId } = bench;
  const [first] = launcher?.instances ?? [];
  if (!launcher || !first) return leftOut(NEEDS_RUN);
  const second = await startSecond(bench);
  if (!second) return leftOut(NEEDS_RUN);
  const call = await begin(bench);
  await untilStarted(call);
  await within('a caption', REPORT_MS, () => call.captions.length > 0);
  first.signal('SIGKILL');
  insist(await first.waitForEnd(REPORT_MS), 'it did not end by SIGKILL');
  bench.runtimeId = second.runtimeId;
  if (server.runtimes.get(runtimeId)?.self.resumes !== true) {
    await takesCalls(bench);
    return notSupported('it does not say `resumes`: such calls end with the apology of the server');
  }
  const spoken = call.captions.flatMap(({ nodeId, segment }) => {
    const { segmentId, speaker, text, final } = Object(segment);
    return final === false ? [] : [{ segmentId, speaker, text, nodeId: (nodeId as string | undefined) ?? null }];
  });
  server.renew(call, { resuming: true, captions: spoken });
  await take(bench, call);
  const { epoch } = call.offer;
  await within('a caption of the second process', REPORT_MS, () => call.captions.some(caption => caption['epoch'] === epoch));
  const result = await within('the result of the second process', bench.callMs, () => resultOf(call));
  insist(result.epoch === epoch, `the result says epoch ${String(result.epoch)}, not ${String(epoch)}`);
  insist(call.faults.length === 0, call.faults.join('; '));
  return OK;
}

async function drain(bench: Bench): Promise<Verdict> {
  const { server, launcher, runtimeId } = bench;
  const running = launcher?.instances.filter(instance => !instance.hasEnded()) ?? [];
  if (running.length === 0) return leftOut(NEEDS_RUN);
  const words = () => server.runtimes.get(runtimeId)?.words ?? [];
  const call = await begin(bench);
  await untilStarted(call);
  for (const instance of running) instance.signal('SIGTERM');
  await within('a beat with isDraining, at once', POOL_BEAT_MS / 2, () => words().some(({ self }) => self?.isDraining === true));
  const { answer } = await server.offer(runtimeId, server.prepare());
  insist(!answer.ok && answer.code === 'BUSY', `a start while it drains was answered ${answer.ok ? 'ok' : answer.code}, not BUSY`);
  await untilWhole(call, bench.callMs);
  await within('bye', DRAIN_MS, () => words().some(({ name }) => name === 'bye'));
  for (const instance of running) insist(await instance.waitForEnd(DRAIN_MS), 'the process did not end after its goodbye');
  insist(reportsOf(call, 'result').length === 1, 'the result was told more than once');
  return OK;
}

/** Outages during a call; the last two end the process under test. */
export const BREAKING: readonly Check[] = [
  { title: 'a report is repeated until the stream has acknowledged it', run: keepResult },
  { title: 'the server is away and comes back', run: restartServer },
  { title: 'NATS is killed and comes back', run: restartNats },
  { title: 'kill -9: another process takes the call over', run: resume },
  { title: 'SIGTERM: isDraining at once, BUSY, the call ends, bye', run: drain },
];
