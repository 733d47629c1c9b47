import { describe, expect, test } from '@jest/globals';
import { commandAnswer } from '#protocol/hand-over.ts';
import { commandSubject } from '#protocol/subjects.ts';
import { seededRandom } from '#kernel/random.ts';
import { voicemail } from '#tools/runtime/customer/voicemail.ts';
import { anOffer, aNode, aScript, exampleScript, saying } from './builders.ts';
import { CALL_ID as ID, runtimeRig as rig } from './runtime-rig.ts';

const OTHER = '5f0c2c1e-9c3b-4a5e-8f6d-000000000002';

describe('a call', () => {
  test('is accepted, run and reported: started, captions, hang-up, ended, result', async () => {
    const { clock, link, start, reports, result, spoken } = rig();
    expect(await start({ customerName: '王小明', variables: { shop: '城南营业厅' } })).toEqual({ ok: true, runtimeId: 'runtime-1' });
    await clock.pass(120_000);
    expect(reports()).toEqual(['started', 'ended', 'result']);
    expect(link.stored.map(({ messageId }) => messageId)).toEqual([`${ID}:started:0`, `${ID}:ended:0`, `${ID}:result:0`]);
    expect(link.requests.at(-1)).toBe(`callout.v1.actor.call.${ID}.hangup`);
    expect(result()).toMatchObject({
      requestId: ID,
      attemptId: 11,
      callStatus: 'completed',
      hangupBy: 'bot',
      classification: 'A',
      intent: '有意向',
      optOut: false,
      payload: {
        result: {
          recognizedText: '可以，你介绍一下。\n明天下午三点吧。',
          ending: 'end',
          variables: { contact_time_spoken: '明天下午三点吧。' },
        },
        script: { id: 7, version: 2 },
      },
    });
    expect(spoken().map(({ segment }) => segment?.speaker)).toEqual(['bot', 'bot', 'customer', 'bot', 'bot', 'customer', 'bot']);
    expect(result().transcript?.map(({ text }) => text)).toEqual(spoken().map(({ segment }) => segment?.text));
  });

  test('numbers its captions and sends them to the subject that the server named', async () => {
    const { clock, link, start } = rig();
    await start();
    await clock.pass(120_000);
    expect(new Set(link.sent.map(({ subject }) => subject))).toEqual(new Set([`callout.v1.captions.${ID}`]));
    const sequence = link.sent.map(({ body }) => body['seq']);
    expect(sequence).toEqual([...sequence.keys()].map(index => index + 1));
  });

  test('lasts as long as a real conversation, and a fifth of it at speed 5', async () => {
    const lengthAt = async (speed: number) => {
      const { clock, start, result } = rig({ speed });
      await start();
      await clock.pass(300_000);
      return Date.parse(result().endedAt ?? '') - Date.parse(result().answeredAt ?? '');
    };
    const usual = await lengthAt(1);
    expect(usual).toBeGreaterThan(20_000);
    expect(usual).toBeLessThan(60_000);
    expect(Math.abs((await lengthAt(5)) - usual / 5)).toBeLessThan(5);
  });

  test('ends at once when the customer hangs up in the middle, with the facts known so far', async () => {
    const { clock, link, start, command, reports, result } = rig();
    await start();
    await clock.pass(8_000);
    expect(await command('hangup', { cause: 'NORMAL_CLEARING' })).toEqual([{ ok: true, runtimeId: 'runtime-1' }]);
    const endedAt = clock.now();
    await clock.pass(0);
    expect(reports()).toEqual(['started', 'ended', 'result']);
    expect(result()).toMatchObject({
      callStatus: 'completed',
      hangupBy: 'customer',
      hangupCause: 'NORMAL_CLEARING',
      endedAt: new Date(endedAt).toISOString(),
      payload: { result: { ending: 'interrupted' } },
    });
    expect(link.requests.filter(subject => subject.endsWith('.hangup'))).toEqual([]);
    const said = link.sent.length;
    await clock.pass(60_000);
    expect(link.sent).toHaveLength(said);
  });

  test('reports the hang-up side from the command, or infers it from the cause', async () => {
    const byOf = async (body: object) => {
      const { clock, start, command, result } = rig();
      await start();
      await command('hangup', body);
      await clock.pass(0);
      return result().hangupBy;
    };
    expect(await byOf({ cause: 'NORMAL_CLEARING', by: 'agent' })).toBe('agent');
    expect(await byOf({ cause: 'DESTINATION_OUT_OF_ORDER' })).toBe('system');
    expect(await byOf({})).toBe('customer');
  });

  test("reports an opt-out request with the customer's words [D7.7]", async () => {
    const { clock, start, result } = rig({ customer: saying('以后别再给我打电话了。') });
    await start();
    await clock.pass(120_000);
    expect(result()).toMatchObject({ optOut: true, optOutReason: '客户表示：以后别再给我打电话了。', classification: 'D' });
  });

  test('that reaches a voicemail box ends without a word [D7.2 voicemail]', async () => {
    const { clock, start, result, spoken } = rig({ customer: voicemail(seededRandom(1)) });
    await start();
    await clock.pass(120_000);
    expect(result()).toMatchObject({
      callStatus: 'voicemail',
      hangupBy: 'bot',
      optOut: false,
      payload: { result: { ending: 'voicemail' } },
    });
    expect(spoken().map(({ segment }) => segment?.speaker)).toEqual(['customer']);
  });

  test('leaves the message of the hand-over on the mailbox, and says nothing of it to a person [D7.14]', async () => {
    const mailbox = rig({ customer: voicemail(seededRandom(1)) });
    await mailbox.start({ mailboxText: '请回电 400。' });
    await mailbox.clock.pass(120_000);
    expect(mailbox.result()).toMatchObject({ callStatus: 'voicemail' });
    expect(mailbox.spoken().map(({ segment }) => segment?.speaker)).toEqual(['customer', 'bot']);
    expect(mailbox.spoken().at(-1)?.segment).toMatchObject({ text: '请回电 400。' });
    const person = rig({ customer: saying('好的。') });
    await person.start({ mailboxText: '请回电 400。' });
    await person.clock.pass(120_000);
    expect(person.spoken().map(({ segment }) => segment?.text)).not.toContain('请回电 400。');
  });

  test.each([
    ['the campaign has none', null, exampleScript()],
    ['the server does not know it', 7, null],
  ])('without a script fails at once: %s', async (_, scriptId, script) => {
    const { clock, start, result } = rig({ script });
    await start({ scriptId });
    await clock.pass(120_000);
    expect(result()).toMatchObject({ callStatus: 'failed', hangupBy: 'bot', payload: { result: { ending: 'no_script' }, script: null } });
  });

  test('that is transferred has the classification transfer', async () => {
    const nodes = { start: aNode('start', 'start', {}, 'agent'), agent: aNode('agent', 'transfer', { text: '正在为您转接人工。' }) };
    const { clock, start, result } = rig({ script: aScript({ nodes }) });
    await start();
    await clock.pass(60_000);
    expect(result()).toMatchObject({ classification: 'transfer', callStatus: 'completed', payload: { result: { ending: 'transfer' } } });
  });
});

describe('the queue group', () => {
  test('a repeated start gets the same reply and starts nothing twice [A4]', async () => {
    const { clock, start, command, reports } = rig();
    const answers = [await start(), await start()];
    await clock.pass(5_000);
    await command('hangup', {});
    await clock.pass(10_000);
    answers.push(await start());
    await clock.pass(30_000);
    expect(answers).toEqual([1, 2, 3].map(() => ({ ok: true, runtimeId: 'runtime-1' })));
    expect(reports()).toEqual(['started', 'ended', 'result']);
  });

  test('a start for a call that another runtime has is ignored', async () => {
    const { clock, link, start, reports, runtime } = rig();
    link.subscribe(`callout.v1.command.${ID}.ping`, {}, message => message.respond({ ok: true, runtimeId: 'runtime-2' }));
    expect(await start()).toMatchObject({ ok: true });
    await clock.pass(60_000);
    expect(runtime.liveCalls()).toBe(0);
    expect(reports()).toEqual([]);
  });

  test('a full runtime leaves the group and rejoins when a call ends', async () => {
    const { clock, link, start, command, runtime } = rig({ maxCalls: 1 });
    await start();
    expect({ live: runtime.liveCalls(), taking: link.isTaking() }).toEqual({ live: 1, taking: false });
    await command('hangup', {});
    await clock.pass(0);
    expect({ live: runtime.liveCalls(), taking: link.isTaking() }).toEqual({ live: 0, taking: true });
  });

  test('a start in transit when the runtime becomes full is refused with BUSY', async () => {
    const { clock, link } = rig({ maxCalls: 1 });
    await clock.pass(0);
    const answers = [
      link.ask(commandSubject(ID, 'start'), anOffer()),
      link.ask(commandSubject(OTHER, 'start'), anOffer({ requestId: OTHER })),
    ];
    await clock.pass(0);
    const codes = answers.flat().map(answer => commandAnswer.parse(answer));
    expect(codes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(codes.filter(answer => !answer.ok && answer.code === 'BUSY')).toHaveLength(1);
  });

  test('an invalid body is refused', async () => {
    const { command } = rig();
    expect(await command('start', { requestId: 'x' })).toEqual([{ ok: false, code: 'INVALID', msg: '启动命令格式不正确' }]);
  });

  test('an ended call replies to commands for a minute, then no longer', async () => {
    const { clock, start, command } = rig();
    await start();
    await command('hangup', {});
    await clock.pass(59_000);
    expect(await command('hangup', {})).toEqual([{ ok: true, runtimeId: 'runtime-1' }]);
    await clock.pass(2_000);
    expect(await command('hangup', {})).toEqual([]);
  });

  test('an unknown command is refused as such', async () => {
    const { start, command } = rig();
    await start();
    expect(await command('juggle')).toEqual([{ ok: false, code: 'UNKNOWN_COMMAND', msg: '不支持的命令' }]);
  });
});

describe('draining', () => {
  test('accepts nothing new, gives live calls time to end, then reports what is known', async () => {
    const { clock, link, start, runtime, reports, result } = rig();
    await start();
    const drained = runtime.drain(10_000);
    expect(link.isTaking()).toBe(false);
    const began = clock.monotonic();
    await clock.until(drained);
    expect(clock.monotonic() - began).toBe(10_000);
    expect(reports()).toEqual(['started', 'ended', 'result']);
    expect(result()).toMatchObject({ hangupBy: 'system', hangupCause: 'MANAGER_REQUEST', payload: { result: { ending: 'interrupted' } } });
    expect(link.requests.at(-1)).toBe(`callout.v1.actor.call.${ID}.hangup`);
  });

  test('leaves no timers behind, not even of ended calls', async () => {
    const { clock, start, command, runtime } = rig();
    await start();
    await clock.until(runtime.drain(0));
    expect(clock.pending()).toBe(0);
    expect(await command('hangup')).toEqual([]);
  });

  test('ends at once without live calls', async () => {
    const { clock, runtime } = rig();
    await clock.until(runtime.drain(10_000));
    expect(clock.monotonic()).toBe(0);
  });
});
