import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Segment, simulatedConversation } from '#tools/runtime/conversation.ts';
import { createHandOver } from '#tools/runtime/hand-over.ts';
import { interruptible } from '#scripts/decisions/flow/interruptible.ts';
import { transfer } from '#scripts/decisions/flow/nodes/transfer.ts';
import { walkScript } from '#scripts/decisions/flow/walk.ts';
import { TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from '#protocol/subjects.ts';
import { silentLog } from '#kernel/log.ts';
import { aNode, aScope, aScript, saying, scriptedConversation, scriptedHandOver } from './builders.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const NODE = aNode('agent', 'transfer', { text: '为您转接。', busyText: '坐席均忙。', groupId: 3, reason: '投诉' });
const MEETING = '（坐席与客户通话）';

describe('a transfer node [OCS 4.15, D12.5]', () => {
  test('requests an agent of its group and lets customer and agent talk until the agent leaves', async () => {
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['ringing', 'joined', 'ended'])];
    expect(await transfer(NODE, aScope({ conversation, handOver }))).toEqual({ finish: 'transfer' });
    expect(handOver.requests).toEqual([{ groupId: 3, agentId: null, interventionId: null, reason: '投诉' }]);
    expect(conversation.said).toEqual(['为您转接。', MEETING, '感谢您的来电，再见。']);
  });

  test('the customer hears when another agent is called, and when none is available', async () => {
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['unanswered', 'failed'])];
    await transfer(NODE, aScope({ conversation, handOver }));
    expect(conversation.said).toEqual(['为您转接。', expect.stringContaining('下一位'), '坐席均忙。']);
  });

  test('without an idle agent the customer hears so at once', async () => {
    const conversation = scriptedConversation();
    await transfer(NODE, aScope({ conversation, handOver: scriptedHandOver([], '当前没有空闲坐席') }));
    expect(conversation.said).toEqual(['为您转接。', '坐席均忙。']);
  });
});

describe('an intervention at a node boundary [A7, D9.3]', () => {
  const script = aScript();

  test('prefers the agent of the claim, who then keeps the call', async () => {
    const [conversation, handOver, told] = [scriptedConversation(), scriptedHandOver(['joined', 'ended']), [] as string[]];
    handOver.asked('iv-1', 'boundary');
    const scope = aScope({ script, conversation, handOver, reportIntervention: (id, status) => void told.push(`${id} ${status}`) });
    expect((await walkScript(scope)).end).toBe('transfer');
    expect(handOver.requests).toMatchObject([{ agentId: 12, interventionId: 'iv-1' }]);
    expect(told).toEqual(['iv-1 active', 'iv-1 ended']);
    expect(conversation.said).not.toContain('再见。');
  });

  test('leaves the call to the script if the agent does not answer', async () => {
    const [conversation, handOver, told] = [scriptedConversation(), scriptedHandOver(['failed']), [] as string[]];
    handOver.asked('iv-1', 'boundary');
    const scope = aScope({ script, conversation, handOver, reportIntervention: (id, status) => void told.push(`${id} ${status}`) });
    expect((await walkScript(scope)).end).toBe('end');
    expect(told).toEqual(['iv-1 failed']);
    expect(conversation.said.at(-1)).toBe('再见。');
  });

  test('that was withdrawn changes nothing', async () => {
    const handOver = scriptedHandOver(['joined']);
    handOver.asked('iv-1', 'boundary');
    handOver.withdrawn('iv-1');
    expect((await walkScript(aScope({ script, handOver }))).end).toBe('end');
    expect(handOver.requests).toEqual([]);
  });
});

describe('a claim during a node [D9.3]', () => {
  const told: string[] = [];
  const reportIntervention = (id: string, status: string) => void told.push(`${id} ${status}`);
  beforeEach(() => void told.splice(0));

  test('during the goodbye keeps the customer on the line', async () => {
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['joined', 'ended'])];
    conversation.onSay = text => text === '再见。' && handOver.asked('iv-1', 'boundary');
    expect((await walkScript(aScope({ conversation, handOver, reportIntervention }))).end).toBe('transfer');
    expect(told).toEqual(['iv-1 active', 'iv-1 ended']);
    expect(conversation.said).toContain(MEETING);
  });

  test('lets the current sentence end and starts nothing else before the agent is requested', async () => {
    const nodes = {
      start: aNode('start', 'start', {}, 'ask'),
      ask: aNode('ask', 'collect', { text: '您贵姓？', retries: 3 }, 'bye'),
      bye: aNode('bye', 'end', { text: '再见。' }),
    };
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['joined', 'ended'])];
    conversation.onSay = text => text === '您贵姓？' && handOver.asked('iv-1', 'boundary');
    expect((await walkScript(aScope({ script: aScript({ nodes }), conversation, handOver, reportIntervention }))).end).toBe('transfer');
    expect(conversation.said.slice(0, 3)).toEqual(['您贵姓？', expect.stringContaining('转接人工'), MEETING]);
    expect(conversation.waits).toEqual([]);
  });

  test("repeats the node if the agent does not answer, with the customer's earlier words", async () => {
    const nodes = {
      start: aNode('start', 'start', {}, 'ask'),
      ask: aNode('ask', 'collect', { text: '您贵姓？', variable: 'name' }, 'bye'),
      bye: aNode('bye', 'end', { text: '{{name}}再见。' }),
    };
    const [conversation, handOver] = [scriptedConversation('王'), scriptedHandOver(['failed'])];
    let asked = 0;
    conversation.onSay = text => text === '您贵姓？' && asked++ === 0 && handOver.asked('iv-1', 'boundary');
    const { end, steps } = await walkScript(aScope({ script: aScript({ nodes }), conversation, handOver, reportIntervention }));
    expect({ end, told, nodes: steps.map(({ nodeId }) => nodeId) }).toEqual({
      end: 'end',
      told: ['iv-1 failed'],
      nodes: ['start', 'ask', 'bye'],
    });
    expect(conversation.said.at(-1)).toBe('王再见。');
  });

  test('takes precedence over a transfer of the script whose phones are ringing', async () => {
    const nodes = { start: aNode('start', 'start', {}, 'agent'), agent: NODE };
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['joined', 'ended'])];
    const route = handOver.route.bind(handOver);
    handOver.route = request => {
      if (handOver.requests.length === 0) handOver.asked('iv-1', 'boundary');
      return route(request);
    };
    expect((await walkScript(aScope({ script: aScript({ nodes }), conversation, handOver, reportIntervention }))).end).toBe('transfer');
    expect(handOver.requests.map(({ interventionId }) => interventionId)).toEqual([null, 'iv-1']);
    expect(told).toEqual(['iv-1 active', 'iv-1 ended']);
  });

  test('with "now" cuts the sentence, and the captions show what the customer heard', async () => {
    const [clock, over, segments] = [manualClock(), new AbortController(), [] as Segment[]];
    const onSegment = (segment: Segment) => void segments.push(segment);
    const spoken = simulatedConversation({ customer: saying(), clock, speed: 1, over: over.signal, onSegment });
    const handOver = scriptedHandOver([]);
    const conversation = interruptible(spoken, handOver);
    const saying10 = conversation.say('n', '一二三四五六七八九十');
    await clock.pass(1_100);
    handOver.asked('iv-1', 'now');
    await saying10;
    expect(clock.monotonic()).toBe(1_100);
    expect(segments.map(({ segmentId, text }) => [segmentId, text])).toEqual([
      ['s1', '一二三四五六七八九十'],
      ['s1', '一二三四五…'],
    ]);
    expect(conversation.isCut()).toBe(true);
    expect(await conversation.listen('n', 5_000)).toBeNull();
  });

  test('with "now" while listening to the customer hands the call over without delay', async () => {
    const [clock, over] = [manualClock(), new AbortController()];
    const spoken = simulatedConversation({ customer: saying(), clock, speed: 1, over: over.signal, onSegment: () => undefined });
    const handOver = scriptedHandOver([]);
    const conversation = interruptible(spoken, handOver);
    const listening = conversation.listen('n', 5_000);
    await clock.pass(100);
    handOver.asked('iv-1', 'now');
    expect(await listening).toBeNull();
    expect(clock.monotonic()).toBe(100);
  });
});

describe('the hand-over over NATS [A4]', () => {
  const requestId = '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10';
  const request = { groupId: null, agentId: null, interventionId: null, reason: '' };

  function handOverWith(answer: (subject: string) => unknown) {
    const [asked, over] = [[] as string[], new AbortController()];
    const link = {
      request(subject: string) {
        asked.push(subject);
        return Promise.resolve(answer(subject));
      },
    };
    return { asked, over, handOver: createHandOver({ link, log: silentLog, requestId, over: over.signal }) };
  }

  test('a refusal is returned with its reason; an invalid reply is a failure', async () => {
    expect(await handOverWith(() => ({ ok: false, code: 'CONFLICT', msg: '当前没有空闲坐席' })).handOver.route(request)).toBe(
      '当前没有空闲坐席',
    );
    expect(await handOverWith(() => ({})).handOver.route(request)).toBe('转接失败');
  });

  test('the end is reported only if an agent was requested', async () => {
    const { asked, handOver } = handOverWith(() => ({ ok: false, code: 'CONFLICT', msg: '' }));
    await handOver.end();
    await handOver.route(request);
    await handOver.end();
    expect(asked).toEqual([TRANSFER_ROUTE_SUBJECT, TRANSFER_END_SUBJECT]);
  });

  test('status messages are queued for their reader; the end of the call is the last one', async () => {
    const { over, handOver } = handOverWith(() => ({}));
    handOver.tell({ conferenceId: 1, conferenceName: 'callout-room', status: 'joined' });
    expect(await handOver.next()).toMatchObject({ status: 'joined' });
    const last = handOver.next();
    over.abort();
    expect(await last).toBeNull();
  });
});
