import { describe, expect, test } from '@jest/globals';
import { createHandOver } from '#companions/runtime/hand-over.ts';
import { transfer } from '#companions/runtime/nodes/transfer.ts';
import { walkScript } from '#companions/runtime/walk.ts';
import { TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from '#contract/nats/subjects.ts';
import { silentLog } from '#kernel/log.ts';
import { aNode, aScope, aScript, scriptedConversation, scriptedHandOver } from './builders.ts';

const NODE = aNode('agent', 'transfer', { text: '为您转接。', busyText: '坐席均忙。', groupId: 3, reason: '投诉' });
const MEETING = '（坐席与客户通话）';

describe('a transfer node [OCS 4.15, D12.5]', () => {
  test('asks for an agent of its group and lets the two talk until the agent leaves', async () => {
    const [conversation, handOver] = [scriptedConversation(), scriptedHandOver(['ringing', 'joined', 'ended'])];
    expect(await transfer(NODE, aScope({ conversation, handOver }))).toEqual({ finish: 'transfer' });
    expect(handOver.wishes).toEqual([{ groupId: 3, agentId: null, interventionId: null, reason: '投诉' }]);
    expect(conversation.said).toEqual(['为您转接。', MEETING, '感谢您的来电，再见。']);
  });

  test('the customer hears that another agent is asked, and that nobody is free', async () => {
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

describe('an intervention at the boundary of a node [A7, D9.3]', () => {
  const script = aScript();

  test("the agent of the claim is preferred; the call is the agent's from then on", async () => {
    const [conversation, handOver, told] = [scriptedConversation(), scriptedHandOver(['joined', 'ended']), [] as string[]];
    handOver.asked('iv-1');
    const scope = aScope({ script, conversation, handOver, reportIntervention: (id, status) => void told.push(`${id} ${status}`) });
    expect((await walkScript(scope)).end).toBe('transfer');
    expect(handOver.wishes).toMatchObject([{ agentId: 12, interventionId: 'iv-1' }]);
    expect(told).toEqual(['iv-1 active', 'iv-1 ended']);
    expect(conversation.said).not.toContain('再见。');
  });

  test('an agent who cannot be had leaves the call to the script', async () => {
    const [conversation, handOver, told] = [scriptedConversation(), scriptedHandOver(['failed']), [] as string[]];
    handOver.asked('iv-1');
    const scope = aScope({ script, conversation, handOver, reportIntervention: (id, status) => void told.push(`${id} ${status}`) });
    expect((await walkScript(scope)).end).toBe('end');
    expect(told).toEqual(['iv-1 failed']);
    expect(conversation.said.at(-1)).toBe('再见。');
  });

  test('a claim that was taken back changes nothing', async () => {
    const handOver = scriptedHandOver(['joined']);
    handOver.asked('iv-1');
    handOver.withdrawn('iv-1');
    expect((await walkScript(aScope({ script, handOver }))).end).toBe('end');
    expect(handOver.wishes).toEqual([]);
  });
});

describe('the way to a person over NATS [A4]', () => {
  const requestId = '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10';
  const wish = { groupId: null, agentId: null, interventionId: null, reason: '' };

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

  test('a refusal is told in its words; an answer that is none is a failure', async () => {
    expect(await handOverWith(() => ({ ok: false, code: 'CONFLICT', msg: '当前没有空闲坐席' })).handOver.route(wish)).toBe(
      '当前没有空闲坐席',
    );
    expect(await handOverWith(() => ({})).handOver.route(wish)).toBe('转接失败');
  });

  test('the end is told only of what was routed', async () => {
    const { asked, handOver } = handOverWith(() => ({ ok: false, code: 'CONFLICT', msg: '' }));
    await handOver.end();
    await handOver.route(wish);
    await handOver.end();
    expect(asked).toEqual([TRANSFER_ROUTE_SUBJECT, TRANSFER_END_SUBJECT]);
  });

  test('news wait for their reader; the end of the call is the last of them', async () => {
    const { over, handOver } = handOverWith(() => ({}));
    handOver.tell({ conferenceId: 1, conferenceName: 'callout-room', status: 'joined' });
    expect(await handOver.next()).toMatchObject({ status: 'joined' });
    const last = handOver.next();
    over.abort();
    expect(await last).toBeNull();
  });
});
