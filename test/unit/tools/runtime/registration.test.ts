import { describe, expect, test } from '@jest/globals';
import { poolMember } from '#protocol/pool.ts';
import { POOL_ROLL_CALL_SUBJECT, poolSubject, START_PROBE_SUBJECT } from '#protocol/subjects.ts';
import { anOffer } from './builders.ts';
import { CALL_ID, runtimeRig } from './runtime-rig.ts';

const WELCOME = { ok: true, contract: 1, beatEveryMs: 5_000, goneAfterMs: 15_000 };
const EPOCH = 1_790_845_200_001;

describe('registration [A4]', () => {
  test('sends hello with everything that the server needs, then a heartbeat every 5 s', async () => {
    const { clock, link, start } = runtimeRig({ pool: () => WELCOME, businessCodes: ['spring'], maxCalls: 7 });
    await clock.pass(10_000);
    expect(link.words.map(({ name }) => name)).toEqual(['hello', 'beat', 'beat']);
    for (const { body } of link.words) expect(poolMember.parse(body)).toEqual(body);
    expect(link.words[0]?.body).toEqual({
      runtimeId: 'runtime-1',
      name: 'callout-runtime',
      version: '1.2.3',
      contract: 1,
      maxCalls: 7,
      active: 0,
      isDraining: false,
      resumes: true,
      commands: ['hint', 'say', 'hand_back'],
      nodeTypes: ['start', 'send', 'collect', 'router', 'chat', 'end', 'transfer'],
      businessCodes: ['spring'],
    });
    expect(await start()).toBeUndefined();
  });

  test('subscribes to its own subjects before it sends hello', async () => {
    let heard: unknown;
    const { clock, link } = runtimeRig({ pool: () => WELCOME });
    link.pool = () => {
      heard ??= link.ask(poolSubject('runtime-1', 'start'), {});
      return WELCOME;
    };
    await clock.pass(6_000);
    expect(heard).toEqual([{ ok: false, code: 'INVALID', msg: '启动命令格式不正确' }]);
  });

  test('without a registering server the runtime takes calls from the queue group, and leaves it once a server replies', async () => {
    const rig = runtimeRig();
    await rig.clock.pass(4_000);
    expect(rig.link.isTaking()).toBe(true);
    expect(await rig.start()).toMatchObject({ ok: true });
    rig.link.pool = () => WELCOME;
    await rig.clock.pass(1_000);
    expect({ isTaking: rig.link.isTaking(), live: rig.runtime.liveCalls() }).toEqual({ isTaking: false, live: 1 });
    rig.link.pool = () => undefined;
    await rig.clock.pass(30_000);
    expect(rig.link.isTaking()).toBe(false);
  });

  test('the probe for unregistered runtimes gets a reply and starts no call', async () => {
    const { clock, link, runtime } = runtimeRig();
    await clock.pass(0);
    const answers = link.ask(START_PROBE_SUBJECT, undefined);
    await clock.pass(0);
    expect(answers).toHaveLength(1);
    expect(runtime.liveCalls()).toBe(0);
  });

  test('a roll call of the server or a reconnect of the bus triggers a heartbeat at once', async () => {
    const { clock, link } = runtimeRig({ pool: () => WELCOME });
    await clock.pass(1_000);
    link.ask(POOL_ROLL_CALL_SUBJECT, {});
    await clock.pass(0);
    link.comeBack();
    await clock.pass(0);
    expect(link.words.map(({ name }) => name)).toEqual(['hello', 'beat', 'beat']);
  });

  test('a server that cannot reply now gets another hello after a second', async () => {
    const answers = [{ ok: false, code: 'UNAVAILABLE', msg: '稍后' }, 'what?', WELCOME];
    const { clock, link } = runtimeRig({ pool: () => answers.shift() });
    await clock.pass(2_000);
    expect({ words: link.words.map(({ name }) => name), isTaking: link.isTaking() }).toEqual({
      words: ['hello', 'hello', 'hello'],
      isTaking: false,
    });
  });

  test.each(['INVALID', 'UNSUPPORTED_CONTRACT'])("%s is final and reported with the server's message", async code => {
    const { clock, link, runtime } = runtimeRig({ pool: () => ({ ok: false, code, msg: '不行' }) });
    await clock.pass(20_000);
    expect(await runtime.refused).toBe(`${code} 不行`);
    expect(link.words).toHaveLength(1);
  });

  test('sends a heartbeat at once when it drains, and bye after the last report', async () => {
    const { clock, link, tell, runtime } = runtimeRig({ pool: () => WELCOME });
    await tell('start', anOffer({ epoch: EPOCH }));
    const drained = runtime.drain(10_000);
    await clock.pass(0);
    expect(link.words.at(-1)).toMatchObject({ name: 'beat', body: { isDraining: true, active: 1 } });
    expect(await tell('start', anOffer({ requestId: '5f0c2c1e-9c3b-4a5e-8f6d-000000000002' }))).toMatchObject({ code: 'BUSY' });
    await clock.until(drained);
    expect(link.words.at(-1)).toEqual({ name: 'bye', body: { runtimeId: 'runtime-1' } });
    expect(link.stored.at(-1)?.subject).toBe(`callout.v1.runtime.result.${CALL_ID}`);
    const words = link.words.length;
    await clock.pass(20_000);
    expect(link.words).toHaveLength(words);
  });
});
