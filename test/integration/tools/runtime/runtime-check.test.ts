import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT, STATE_FOLDER } from '#tools/commands/project.ts';
import { CHECKS } from '#test/runtime-check/run-checks.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { type CheckOutcome, runRuntimeCheck, runtimeCheckHere } from './check-process.ts';
import { startFakeServer } from './fake-server.ts';
import { startRuntimeProcess } from './process.ts';

const LIMIT_MS = 240_000;
const EXAMPLE = join(PROJECT, 'examples/runtime-minimal/runtime.mjs');
const STEPPING_IN = CHECKS.map(({ title }) => title).filter(title => /steps in|intervention|transfer/.test(title));

/** Limited to a number of calls that can be filled, with customers who talk faster than real time. */
const RUNTIMES = {
  reference: '"$NODE" --disable-warning=ExperimentalWarning tools/main.ts runtime --speed 4 --max-calls 5',
  JavaScript: 'MAX_CALLS=5 SENTENCE_MS=2000 "$NODE" examples/runtime-minimal/runtime.mjs',
  Python: 'MAX_CALLS=5 SENTENCE_MS=2000 python3 examples/runtime-minimal/runtime.py',
} as const;

/** A change of the example, and the reported fault; a part of its title names the check. */
const FAULTS: [title: string, from: string, to: string, found: string][] = [
  ['inboxPrefix', ', inboxPrefix: `_INBOX_RUNTIME.${user}`', '', 'it hears answers under _INBOX, which docker/nats.conf refuses'],
  ['beats every', 'isKnown ? 5_000 : 1_000', '60_000', 'a beat: not within 7 s'],
  [
    'queue group',
    "serve(pool('start'), take);",
    "serve(pool('start'), take); serve('callout.v1.command.*.start', take);",
    'unlimited places',
  ],
  ['is not deaf', "serve(pool('start'), take);", "nats.subscribe(pool('start'));", 'it is deaf or slow: start was not answered within 1 s'],
  [
    'is not deaf',
    "message.respond(JSON.stringify(answer(body, message.subject.split('.').at(-1)) ?? { ok: true }));",
    "setTimeout(() => message.respond(JSON.stringify(answer(body, message.subject.split('.').at(-1)))), 20_000);",
    'it is deaf or slow: start was not answered within 1 s',
  ],
  ['is not full', 'live >= Number(MAX_CALLS)', 'true', 'answers BUSY: its places are not free'],
  ['is not mute', 'void converse(call)', 'void new Promise(() => undefined)', 'it is mute: it took the call and said nothing'],
  [
    'names its own',
    "epoch: call.epoch, kind: 'segment'",
    "epoch: call.epoch + 1, kind: 'segment'",
    'the server refuses it as STALE_EPOCH: a caption says epoch',
  ],
  ['names its own', 'attemptId, runtimeId, epoch', "attemptId, runtimeId: 'other', epoch", 'it reports as "other"'],
  [
    'is not deaf',
    "const greet = async () => (isKnown = await say(isKnown ? 'beat' : 'hello').catch(unheard));",
    "nats.subscribe('callout.v1.command.*.*'); const greet = async () => false;",
    'somebody only listens where calls are offered',
  ],
  ['signs what it sends', 'spoken, signed(call.captionSubject, spoken)', 'spoken', 'a caption is not signed with the internal token'],
  ['signs what it sends', '.update(internalToken)', ".update('other')", 'is signed wrongly'],
  [
    'signs by the',
    'aheadMs = answer.serverTime - Date.now();',
    '{}',
    'hello or beat that goes by the serverTime of STALE_PROOF: not within',
  ],
  ['takes a call', 'runtimeId, epoch, ...body', 'runtimeId, ...body', 'says epoch undefined'],
  ['takes a call', 'msgID = `${requestId}:${kind}:${epoch ?? 0}`', 'msgID = `${requestId}:${kind}`', 'has no epoch in it'],
  ['takes a call', "callStatus: 'completed', ", '', 'callStatus'],
  ['takes a call', 'publish(call.captionSubject,', "publish('callout.v1.nowhere',", 'no caption'],
  ['same start again', 'if (known) return here(known);', '', 'two scripts speak to one customer'],
  ['INVALID', 'if (!isOrder) return', 'if (!isOrder) return here({}); if (!isOrder) return', 'not INVALID'],
  ['BUSY', 'live >= Number(MAX_CALLS)', 'false', '6 of 6 calls were taken'],
  ['customer hangs up', 'hangupBy: by,', "hangupBy: 'bot',", 'hangupBy'],
  ['UNKNOWN_COMMAND', "'ping', 'hangup'", "'ping', 'hangup', name", 'answered ok'],
  ['newer epoch', 'known.epoch = order.epoch;', '', 'says epoch'],
  ['newer epoch', "void report(known, 'started', { kind: 'started', seq: 0, at: now() });", '', 'the report "started" under the epoch'],
  ['release', 'call.isReleased = true;', '', 'not its own any more'],
  ['STALE_EPOCH', "rejection?.code === 'STALE_EPOCH'", 'false', 'not its own any more'],
  ['repeated until', 'await sleep(500); //', 'return; //', 'the result, once the stream is there'],
  ['SIGTERM', '  isDraining = true;', '', 'isDraining'],
];
/** Faulty runtimes that are checked at once. */
const LANES = 3;
const FOLDER = join(STATE_FOLDER, `test/faulty-runtime-${process.pid}`);

// They mostly wait: the long runs in parallel, the faulty runtimes beside them in lanes.
const whole = new Map<string, Promise<CheckOutcome>>();
const faulty: Promise<CheckOutcome>[] = [];

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, command] of Object.entries(RUNTIMES)) whole.set(name, runRuntimeCheck('--run', command));
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  for (const [index, [title, from, to]] of FAULTS.entries()) {
    const command = await withFault(index, from, to);
    const run = (lanes[index % LANES] ?? Promise.resolve()).then(() => runtimeCheckHere('--only', title, '--run', command));
    lanes[index % LANES] = run;
    faulty.push(run);
  }
});

afterAll(async () => {
  await Promise.allSettled([...whole.values(), ...faulty]);
  await rm(FOLDER, { recursive: true, force: true });
});

/** A file inside the project, where its packages are found. */
async function withFault(index: number, from: string, to: string): Promise<string> {
  const text = await readFile(EXAMPLE, 'utf8');
  expect(text).toContain(from);
  const file = join(FOLDER, `runtime-${index}.mjs`);
  await writeFile(file, text.replace(from, to));
  return `MAX_CALLS=5 SENTENCE_MS=2000 "${process.execPath}" ${file}`;
}

describe('runtimes that follow the contract [A4]', () => {
  test.each([
    ['reference', []],
    ['JavaScript', STEPPING_IN],
    ['Python', STEPPING_IN],
  ] as const)(
    '%s: every check passes',
    async (name, unsupported) => {
      if (name === 'Python' && spawnSync('python3', ['--version']).status !== 0)
        throw new Error('python3 is not on this machine: install the package python3, examples/runtime-minimal/runtime.py needs it');
      const outcome = await whole.get(name);
      expect(outcome?.output).not.toMatch(/^FAULT/m);
      expect(outcome?.titles('not supported')).toEqual(unsupported);
      expect(outcome?.titles('ok')).toHaveLength(CHECKS.length - unsupported.length);
      expect(outcome?.exitCode).toBe(0);
    },
    LIMIT_MS,
  );
});

describe('a runtime with a fault is detected', () => {
  test.each(FAULTS.map(([title, from, to, found], index) => ({ index, title, change: `${from} → ${to}`, found })))(
    '$title: $change',
    async ({ index, found }) => {
      const outcome = await faulty[index];
      expect(outcome?.output).toMatch(/^FAULT /m);
      expect(outcome?.output).toContain(found);
      expect(outcome?.exitCode).toBe(1);
    },
    LIMIT_MS,
  );
});

describe('the command', () => {
  let nats: PrivateService;
  beforeAll(async () => {
    nats = await startPrivateService('nats');
  });
  afterAll(() => nats.stop());

  test('without --run it checks a running runtime, and skips what would require breaking it', async () => {
    const runtime = await startRuntimeProcess(nats.url, '--speed', '4', '--max-calls', '100');
    const outcome = await runRuntimeCheck('--nats', nats.url, '--only', 'hello|BUSY|NATS|kill -9|SIGTERM');
    await runtime.stop();
    expect(outcome.titles('ok')).toEqual(['hello is valid and names all that the server must know']);
    expect(outcome.titles('left out')).toHaveLength(4);
    expect(outcome.output.match(/needs --run/g)).toHaveLength(3);
    expect(outcome.exitCode).toBe(0);
  }, 60_000);

  test('without a NATS server, or without a runtime on it, there is nothing to check: 69 and 1', async () => {
    const [lost, lonely] = await Promise.all([runRuntimeCheck('--nats', 'nats://127.0.0.1:1'), runRuntimeCheck('--nats', nats.url)]);
    expect(lost).toMatchObject({ exitCode: 69, output: expect.stringContaining('NATS with JetStream is wanted') });
    expect(lonely).toMatchObject({ exitCode: 1, output: expect.stringContaining('(callout.v1.runtime-pool.hello): not within 20 s') });
  }, 60_000);

  test('a NATS server with a Callout server on it is refused: 69', async () => {
    const server = await startFakeServer(nats.url);
    server.connection.subscribe('callout.v1.runtime-pool.hello');
    await server.connection.flush();
    const { exitCode, output } = await runRuntimeCheck('--nats', nats.url);
    await server.close();
    expect({ exitCode, output }).toEqual({ exitCode: 69, output: expect.stringContaining('a server of Callout answers on this NATS') });
  }, 60_000);

  test.each([
    [[], '--nats or --run is wanted'],
    [['--nats', 'x', '--call-seconds', '0'], '--call-seconds must be'],
    [['--loud'], "Unknown option '--loud'"],
  ])('invalid arguments: 64 and the usage: %j', async (args, problem) => {
    const { exitCode, output } = await runRuntimeCheck(...args);
    expect({ exitCode, output }).toEqual({ exitCode: 64, output: expect.stringContaining(problem) });
  });

  test('--help describes every flag', async () => {
    const { exitCode, output } = await runRuntimeCheck('--help');
    expect(exitCode).toBe(0);
    for (const flag of ['--nats', '--runtime-nats', '--run', '--runtime-id', '--only', '--call-seconds']) expect(output).toContain(flag);
  });
});
