import { describe, expect, test } from '@jest/globals';
import type { StartCommand } from '#contract/nats/commands.ts';
import { resultReport } from '#contract/runtime/result.ts';
import { PAUSE_APOLOGY } from '#tools/runtime/resumption.ts';
import { anOffer, saying } from './builders.ts';
import { CALL_ID, type RigOptions, runtimeRig } from './runtime-rig.ts';

const WELCOME = { ok: true, contract: 1, beatEveryMs: 5_000, goneAfterMs: 15_000 };
const EPOCH = 1_790_845_200_001;
const LATER = EPOCH + 5;
const HERE = { ok: true, runtimeId: 'runtime-1', epoch: EPOCH };

async function taking(changes: Partial<StartCommand> = {}, options: RigOptions = {}) {
  const rig = runtimeRig({ pool: () => WELCOME, ...options });
  const answer = await rig.tell('start', anOffer({ epoch: EPOCH, ...changes }));
  const ping = async () => (await rig.command('ping'))[0];
  const rejected = (code: string, kind = 'result') =>
    rig.tell('rejected', { subject: `callout.v1.runtime.${kind}.${CALL_ID}`, code, field: null, reason: '过期', requestId: CALL_ID });
  return { ...rig, answer, ping, rejected };
}

describe('a call that is addressed to this runtime [A4]', () => {
  test('is answered with the hand-over, and every report and caption carries it', async () => {
    const { clock, link, answer, ping } = await taking();
    expect([answer, await ping()]).toEqual([HERE, HERE]);
    await clock.pass(120_000);
    const bodies = [...link.stored, ...link.sent].map(({ body }) => body);
    expect(link.stored.map(({ messageId }) => messageId)).toEqual(
      ['started', 'ended', 'result'].map(kind => `${CALL_ID}:${kind}:${EPOCH}:0`),
    );
    expect(link.sent.length).toBeGreaterThan(3);
    for (const body of bodies) expect(body).toMatchObject({ requestId: CALL_ID, runtimeId: 'runtime-1', epoch: EPOCH });
  });

  test('comes again: answered as before, also when it is over', async () => {
    const { clock, tell, command, reports } = await taking();
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual(HERE);
    await command('hangup');
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual(HERE);
    await clock.pass(30_000);
    expect(reports()).toEqual(['started', 'ended', 'result']);
  });

  test('more calls than places are answered BUSY', async () => {
    const { tell } = await taking({}, { maxCalls: 1 });
    expect(await tell('start', anOffer({ requestId: '5f0c2c1e-9c3b-4a5e-8f6d-000000000002' }))).toMatchObject({ ok: false, code: 'BUSY' });
  });

  test('a newer hand-over is adopted, an older one changes nothing', async () => {
    const { clock, tell, ping, result } = await taking();
    expect(await tell('start', anOffer({ epoch: LATER }))).toEqual({ ...HERE, epoch: LATER });
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual({ ...HERE, epoch: LATER });
    expect(await ping()).toEqual({ ...HERE, epoch: LATER });
    await clock.pass(120_000);
    expect(result().epoch).toBe(LATER);
  });

  test('handed over anew when it is over: its end is told again under the new epoch', async () => {
    const { command, tell, link } = await taking();
    await command('hangup');
    await tell('start', anOffer({ epoch: LATER }));
    const results = link.stored.filter(({ subject }) => subject.includes('.result.'));
    expect(results.map(({ messageId }) => messageId)).toEqual([`${CALL_ID}:result:${EPOCH}:0`, `${CALL_ID}:result:${LATER}:0`]);
    expect(resultReport.parse(results[1]?.body)).toEqual({ ...resultReport.parse(results[0]?.body), epoch: LATER });
  });

  test('the time of the answer is the switch’s', async () => {
    const { clock, result } = await taking({ answeredAt: '2026-10-01T00:59:58.000Z' });
    await clock.pass(120_000);
    expect(result().answeredAt).toBe('2026-10-01T00:59:58.000Z');
  });
});

describe('a call that goes to somebody else', () => {
  test('released: the script stops, nobody is hung up, nothing more is told, its commands are not answered', async () => {
    const { clock, link, tell, command, reports, runtime } = await taking();
    await clock.pass(6_000);
    const captions = link.sent.length;
    expect(captions).toBeGreaterThan(0);
    await tell('release', { requestId: CALL_ID, epoch: LATER, reason: 'superseded' });
    await clock.pass(120_000);
    expect({ reports: reports(), captions: link.sent.length, live: runtime.liveCalls() }).toEqual({
      reports: ['started'],
      captions,
      live: 0,
    });
    expect(link.requests.filter(subject => subject.endsWith('.hangup'))).toEqual([]);
    expect(await command('ping')).toEqual([]);
  });

  test('a report that is still on its way is not sent again', async () => {
    const { clock, link, command, tell } = await taking();
    let tries = 0;
    link.store = () => {
      tries += 1;
      return Promise.reject(new Error('away'));
    };
    await command('hangup');
    await tell('release', { requestId: CALL_ID, epoch: LATER, reason: 'superseded' });
    const before = tries;
    await clock.pass(60_000);
    expect(tries).toBe(before);
  });

  test('an order from before the release begins nothing, a later one does', async () => {
    const { tell, runtime } = await taking();
    await tell('release', { requestId: CALL_ID, epoch: LATER, reason: 'superseded' });
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toMatchObject({ ok: false, code: 'BUSY' });
    expect(runtime.liveCalls()).toBe(0);
    expect(await tell('start', anOffer({ epoch: LATER + 1 }))).toMatchObject({ ok: true, epoch: LATER + 1 });
  });

  test('a release that a later hand-over has overtaken changes nothing', async () => {
    const { tell, ping } = await taking({ epoch: LATER });
    await tell('release', { requestId: CALL_ID, epoch: EPOCH, reason: 'superseded' });
    expect(await ping()).toMatchObject({ ok: true, epoch: LATER });
  });

  test('reports of a stale epoch: it stops like one that is released', async () => {
    const { clock, rejected, reports, runtime } = await taking();
    await rejected('STALE_EPOCH', 'started');
    await clock.pass(60_000);
    expect({ reports: reports(), live: runtime.liveCalls() }).toEqual({ reports: ['started'], live: 0 });
  });

  test('a refusal of what was told before the call was handed over once more stops nothing', async () => {
    const { tell, rejected, runtime } = await taking();
    await tell('start', anOffer({ epoch: LATER }));
    await rejected('STALE_EPOCH', 'started');
    expect(runtime.liveCalls()).toBe(1);
  });

  test('refusals are written down, each kind once a minute', async () => {
    const { clock, warnings, rejected } = await taking();
    for (let count = 0; count < 3; count++) await rejected('INVALID_ARGUMENT');
    await rejected('INVALID_ARGUMENT', 'ended');
    await clock.pass(60_000);
    await rejected('INVALID_ARGUMENT');
    const lines = warnings.map(({ fields }) => `${String(fields['report'])} ${String(fields['leftOut'])}`);
    expect(lines).toEqual(['runtime.result 0', 'runtime.ended 0', 'runtime.result 2']);
  });
});

describe('a call that another runtime has lost', () => {
  const captions = [
    { segmentId: 's1', speaker: 'customer' as const, text: '喂？', nodeId: '' },
    { segmentId: 's2', speaker: 'bot' as const, text: '您好。', nodeId: 'greet' },
    { segmentId: 's3', speaker: 'bot' as const, text: '您感兴趣吗？', nodeId: 'ask_interest' },
    { segmentId: 's4', speaker: 'customer' as const, text: '再打就投诉。', nodeId: 'ask_interest' },
  ];

  test('goes on with an apology where the bot spoke last; the transcript begins with what was said before', async () => {
    const { clock, spoken, result } = await taking({ resuming: true, captions });
    await clock.pass(1);
    expect(spoken()[0]).toMatchObject({ nodeId: 'ask_interest', segment: { text: PAUSE_APOLOGY, segmentId: `${EPOCH}-s1` } });
    await clock.pass(120_000);
    const { transcript, optOut, payload } = result();
    expect(transcript?.slice(0, 5).map(({ text }) => text)).toEqual([...captions.map(({ text }) => text), PAUSE_APOLOGY]);
    expect(spoken()[1]?.nodeId).toBe('ask_interest');
    expect(optOut).toBe(true);
    expect(payload).toMatchObject({ result: { steps: expect.arrayContaining([{ nodeId: 'greet', branch: null }]) } });
  });

  test.each([
    ['nothing was said', []],
    ['the script has no such node', [{ segmentId: 's1', speaker: 'bot' as const, text: '您好。', nodeId: 'gone' }]],
  ])('from the beginning when %s', async (_, before) => {
    const { clock, result } = await taking({ resuming: true, captions: before }, { customer: saying() });
    await clock.pass(120_000);
    expect(result().payload).toMatchObject({ result: { steps: expect.arrayContaining([{ nodeId: 'start', branch: 'default' }]) } });
  });
});
