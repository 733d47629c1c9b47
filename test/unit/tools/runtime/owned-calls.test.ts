import { describe, expect, test } from '@jest/globals';
import type { StartCommand } from '#protocol/hand-over.ts';
import { resultReport } from '#protocol/result.ts';
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

describe('a call offered to this runtime [A4]', () => {
  test('is accepted with its epoch, which every report and caption carries', async () => {
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

  test('and offered again gets the same reply, also after its end', async () => {
    const { clock, tell, command, reports } = await taking();
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual(HERE);
    await command('hangup');
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual(HERE);
    await clock.pass(30_000);
    expect(reports()).toEqual(['started', 'ended', 'result']);
  });

  test('beyond the capacity is refused with BUSY', async () => {
    const { tell } = await taking({}, { maxCalls: 1 });
    expect(await tell('start', anOffer({ requestId: '5f0c2c1e-9c3b-4a5e-8f6d-000000000002' }))).toMatchObject({ ok: false, code: 'BUSY' });
  });

  test('under a newer epoch is adopted; an older epoch changes nothing', async () => {
    const { clock, tell, ping, result } = await taking();
    expect(await tell('start', anOffer({ epoch: LATER }))).toEqual({ ...HERE, epoch: LATER });
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toEqual({ ...HERE, epoch: LATER });
    expect(await ping()).toEqual({ ...HERE, epoch: LATER });
    await clock.pass(120_000);
    expect(result().epoch).toBe(LATER);
  });

  test('again under a newer epoch reports started again: the server has lost what it knew', async () => {
    const { tell, link } = await taking();
    await tell('start', anOffer({ epoch: LATER }));
    const starts = link.stored.filter(({ subject }) => subject.includes('.started.'));
    expect(starts.map(({ messageId }) => messageId)).toEqual([`${CALL_ID}:started:${EPOCH}:0`, `${CALL_ID}:started:${LATER}:0`]);
    expect(starts[1]?.body).toMatchObject({ epoch: LATER, kind: 'started' });
  });

  test('again after its end reports the end again under the new epoch', async () => {
    const { command, tell, link } = await taking();
    await command('hangup');
    await tell('start', anOffer({ epoch: LATER }));
    const results = link.stored.filter(({ subject }) => subject.includes('.result.'));
    expect(results.map(({ messageId }) => messageId)).toEqual([`${CALL_ID}:result:${EPOCH}:0`, `${CALL_ID}:result:${LATER}:0`]);
    expect(resultReport.parse(results[1]?.body)).toEqual({ ...resultReport.parse(results[0]?.body), epoch: LATER });
  });

  test('takes the answer time from the switch', async () => {
    const { clock, result } = await taking({ answeredAt: '2026-10-01T00:59:58.000Z' });
    await clock.pass(120_000);
    expect(result().answeredAt).toBe('2026-10-01T00:59:58.000Z');
  });
});

describe('a call that another runtime gets', () => {
  test('is released: the script stops without a hang-up or further reports, and commands get no reply', async () => {
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

  test('is released: a pending report is not retried', async () => {
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

  test('is not started by an offer from before the release, only by a later one', async () => {
    const { tell, runtime } = await taking();
    await tell('release', { requestId: CALL_ID, epoch: LATER, reason: 'superseded' });
    expect(await tell('start', anOffer({ epoch: EPOCH }))).toMatchObject({ ok: false, code: 'BUSY' });
    expect(runtime.liveCalls()).toBe(0);
    expect(await tell('start', anOffer({ epoch: LATER + 1 }))).toMatchObject({ ok: true, epoch: LATER + 1 });
  });

  test('is kept if a later offer has overtaken the release', async () => {
    const { tell, ping } = await taking({ epoch: LATER });
    await tell('release', { requestId: CALL_ID, epoch: EPOCH, reason: 'superseded' });
    expect(await ping()).toMatchObject({ ok: true, epoch: LATER });
  });

  test('is released when its reports are rejected with a stale epoch', async () => {
    const { clock, rejected, reports, runtime } = await taking();
    await rejected('STALE_EPOCH', 'started');
    await clock.pass(60_000);
    expect({ reports: reports(), live: runtime.liveCalls() }).toEqual({ reports: ['started'], live: 0 });
  });

  test('is kept if the rejected report is from before a newer offer', async () => {
    const { tell, rejected, runtime } = await taking();
    await tell('start', anOffer({ epoch: LATER }));
    await rejected('STALE_EPOCH', 'started');
    expect(runtime.liveCalls()).toBe(1);
  });

  test('rejections are logged, each kind once a minute', async () => {
    const { clock, warnings, rejected } = await taking();
    for (let count = 0; count < 3; count++) await rejected('INVALID_ARGUMENT');
    await rejected('INVALID_ARGUMENT', 'ended');
    await clock.pass(60_000);
    await rejected('INVALID_ARGUMENT');
    const lines = warnings.map(({ fields }) => `${String(fields['report'])} ${String(fields['leftOut'])}`);
    expect(lines).toEqual(['runtime.result 0', 'runtime.ended 0', 'runtime.result 2']);
  });
});

describe('a call that another runtime lost', () => {
  const captions = [
    { segmentId: 's1', speaker: 'customer' as const, text: '喂？', nodeId: '' },
    { segmentId: 's2', speaker: 'bot' as const, text: '您好。', nodeId: 'greet' },
    { segmentId: 's3', speaker: 'bot' as const, text: '您感兴趣吗？', nodeId: 'ask_interest' },
    { segmentId: 's4', speaker: 'customer' as const, text: '再打就投诉。', nodeId: 'ask_interest' },
  ];

  test("resumes with an apology at the bot's last node, and the transcript includes the earlier captions", async () => {
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
    ['nothing was said before', []],
    ['the script has no such node', [{ segmentId: 's1', speaker: 'bot' as const, text: '您好。', nodeId: 'gone' }]],
  ])('starts over when %s', async (_, before) => {
    const { clock, result } = await taking({ resuming: true, captions: before }, { customer: saying() });
    await clock.pass(120_000);
    expect(result().payload).toMatchObject({ result: { steps: expect.arrayContaining([{ nodeId: 'start', branch: 'default' }]) } });
  });
});
