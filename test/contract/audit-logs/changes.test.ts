import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SECRET_KEY } from '#test/support/agent-rig.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import script from '../../../examples/spring-visit.script.json' with { type: 'json' };

let server: TestServer;
let admin: string;
beforeAll(async () => {
  const businesses = ['demo', 'other'].map(businessCode => ({ businessCode, businessName: businessCode, runtimeBringsFlow: true }));
  server = await startTestServer({ config: { businesses, agents: { secretKey: SECRET_KEY } } });
  admin = await server.loginAs('admin');
});
afterAll(() => server.close());

/** Errors: Error with the response text when the request is refused */
async function ask(method: string, path: string, body?: unknown) {
  const answer = await server.api(method, path, body, admin);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

interface Row {
  action: string;
  targetType: string;
  targetId: string;
  detail: { before: object; after: object };
}

/** Rows that the requests of `work` leave about one target, oldest first. */
async function rowsOf(targetType: string, targetId: number): Promise<Pick<Row, 'action' | 'detail'>[]> {
  const { rows } = await ask('GET', `/api/audit-logs?pageSize=200&q=${targetType}`);
  return (rows as Row[])
    .filter(row => row.targetType === targetType && row.targetId === String(targetId))
    .map(({ action, detail }) => ({ action, detail }))
    .toReversed()
    .slice(1);
}

const LINE = {
  name: '线路',
  code: 'changes-1',
  dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
  allocationMode: 'single_shared',
};
let campaigns = 0;
async function newCampaign(): Promise<number> {
  campaigns += 1;
  const { line } = await ask('POST', '/api/lines', { ...LINE, code: `of-campaign-${campaigns}`, maxConcurrency: 1 });
  const body = { name: '活动', businessCode: 'demo', lineIds: [line.id], maxConcurrency: 1 };
  return (await ask('POST', '/api/campaigns', body)).campaign.id;
}

const POLICY = { name: '黑名单', scope: 'global', type: 'phone_blacklist', action: 'block', config: { numbers: ['10086'] } };

interface Edit {
  of: string;
  make: () => Promise<{ id: number; path: string }>;
  change: object;
  action: string;
  before: object;
  after: object;
}

const EDITS: readonly Edit[] = [
  {
    of: 'line',
    make: async () => {
      const { id } = (await ask('POST', '/api/lines', { ...LINE, maxConcurrency: 2 })).line;
      return { id, path: `/api/lines/${id}` };
    },
    change: { name: '线路', maxConcurrency: 3, isEnabled: 0 },
    action: 'line.updated',
    before: { maxConcurrency: 2, isEnabled: true },
    after: { maxConcurrency: 3, isEnabled: false },
  },
  {
    of: 'policy',
    make: async () => {
      const { id } = (await ask('POST', '/api/policies', POLICY)).policy;
      return { id, path: `/api/policies/${id}` };
    },
    change: { config: { numbers: ['10086', '10010'] } },
    action: 'policy.updated',
    before: { config: { numbers: ['10086'] } },
    after: { config: { numbers: ['10086', '10010'] } },
  },
  {
    of: 'user',
    make: async () => {
      const { id } = (await ask('POST', '/api/users', { username: 'changes', role: 'agent', password: 'a-long-password-1' })).user;
      return { id, path: `/api/users/${id}` };
    },
    change: { displayName: 'changes', role: 'supervisor' },
    action: 'user.updated',
    before: { role: 'agent' },
    after: { role: 'supervisor' },
  },
  {
    of: 'agent',
    make: async () => {
      const { id } = (await ask('POST', '/api/agents', { name: '坐席', phoneExtension: '7001' })).agent;
      return { id, path: `/api/agents/${id}` };
    },
    change: { name: '改名', phoneExtension: '7001' },
    action: 'agent.updated',
    before: { name: '坐席' },
    after: { name: '改名' },
  },
  {
    of: 'agent_group',
    make: async () => {
      const { id } = (await ask('POST', '/api/agent-groups', { name: '早班', description: '' })).group;
      return { id, path: `/api/agent-groups/${id}` };
    },
    change: { name: '早班', description: '七点' },
    action: 'agent_group.updated',
    before: { description: '' },
    after: { description: '七点' },
  },
  {
    of: 'campaign',
    make: async () => {
      const id = await newCampaign();
      return { id, path: `/api/campaigns/${id}` };
    },
    change: { name: '活动', maxConcurrency: 5, businessConfig: { variables: { city: '上海' } } },
    action: 'campaign.updated',
    before: { maxConcurrency: 1, businessConfig: {} },
    after: { maxConcurrency: 5, businessConfig: { variables: { city: '上海' } } },
  },
];

describe('old and new values of what changed', () => {
  test.each(EDITS)('$of: only the changed members; the same values again add nothing [D3.7]', async edit => {
    const { id, path } = await edit.make();
    await ask('PATCH', path, edit.change);
    await ask('PATCH', path, edit.change);
    await ask('PATCH', path, {});
    expect(await rowsOf(edit.of, id)).toEqual([{ action: edit.action, detail: { before: edit.before, after: edit.after } }]);
  });

  test('contact [D3.7]', async () => {
    const campaignId = await newCampaign();
    await ask('POST', `/api/campaigns/${campaignId}/contacts`, { contacts: [{ phoneNumber: '13800138000', metadata: { city: '北京' } }] });
    const [contact] = (await ask('GET', `/api/campaigns/${campaignId}/contacts`)).rows;
    const path = `/api/campaigns/${campaignId}/contacts/${contact.id}`;
    const change = { remark: '改', phoneNumber: '13800138000', metadata: { city: '上海' } };
    await ask('PATCH', path, change);
    await ask('PATCH', path, change);
    const { rows } = await ask('GET', '/api/audit-logs?q=contact.updated');
    expect(rows.map(({ detail }: Row) => detail)).toEqual([
      {
        campaignId,
        before: { remark: '', metadata: { city: '北京' } },
        after: { remark: '改', metadata: { city: '上海' } },
      },
    ]);
  });

  test('a number on the do-not-call list: its previous entry, and nothing for the same again [D3.7, OCS 4.10]', async () => {
    const first = { phoneNumber: '13600000001', reason: '客户要求' };
    const { entry } = await ask('POST', '/api/dnc', first);
    await ask('POST', '/api/dnc', first);
    await ask('POST', '/api/dnc', { ...first, reason: '投诉' });
    expect(await rowsOf('do_not_call', entry.id)).toEqual([
      { action: 'do_not_call.updated', detail: { phoneNumber: '13600000001', before: { reason: '客户要求' }, after: { reason: '投诉' } } },
    ]);
  });

  test('a script: its versions with their hashes, which stay readable [D3.7, D11]', async () => {
    const { script: saved } = await ask('POST', '/api/v1/scripts', script);
    await ask('POST', '/api/v1/scripts', { ...script, id: saved.id, name: '改名' });
    expect(await rowsOf('script', saved.id)).toEqual([
      {
        action: 'script.updated',
        detail: {
          before: { name: script.name, currentVersion: 1, hash: expect.any(String) },
          after: { name: '改名', currentVersion: 2, hash: expect.any(String) },
        },
      },
    ]);
  });

  test('a password change is recorded without the password [D3.7]', async () => {
    const { user } = await ask('POST', '/api/users', { username: 'masked', role: 'agent', password: 'a-long-password-1' });
    await ask('PATCH', `/api/users/${user.id}`, { password: 'a-long-password-2' });
    expect(await rowsOf('user', user.id)).toEqual([
      { action: 'user.updated', detail: { before: { password: '***' }, after: { password: '*** (new)' } } },
    ]);
    const { agent } = await ask('POST', '/api/agents', { name: '坐席', phoneExtension: '7002' });
    await ask('PATCH', `/api/agents/${agent.id}`, { sipPassword: 'first-sip-password' });
    await ask('PATCH', `/api/agents/${agent.id}`, { sipPassword: 'second-sip-password' });
    await ask('PATCH', `/api/agents/${agent.id}`, { userId: user.id });
    expect((await rowsOf('agent', agent.id)).map(({ detail }) => detail)).toEqual([
      { before: { sipPassword: null }, after: { sipPassword: '*** (new)' } },
      { before: { sipPassword: '***' }, after: { sipPassword: '*** (new)' } },
      { before: { userId: null, sipPassword: '***' }, after: { userId: user.id, sipPassword: null } },
    ]);
  });

  test('a value that is too long is truncated [D3.7]', async () => {
    const { policy } = await ask('POST', '/api/policies', POLICY);
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(13_000_000_000 + index));
    await ask('PATCH', `/api/policies/${policy.id}`, { config: { numbers } });
    const [row] = await rowsOf('policy', policy.id);
    expect(row?.detail.after).toEqual({ config: expect.stringMatching(/^\{"numbers":\["13000000000".*…$/) });
    expect(JSON.stringify(row).length).toBeLessThan(5_000);
  });
});

describe("a change of a campaign's status", () => {
  test('has a row with an action of its own, with the other changes of the edit, and none when the status stays the same [D3.7]', async () => {
    const campaignId = await newCampaign();
    await ask('POST', `/api/campaigns/${campaignId}/contacts`, { contacts: [{ phoneNumber: '13800138000' }] });
    const path = `/api/campaigns/${campaignId}`;
    // Nothing is dialled meanwhile.
    const closed = { scheduledStartAt: '2099-01-01T00:00:00Z' };
    await ask('PATCH', path, { status: 'running', ...closed });
    await ask('PATCH', path, { status: 'running' });
    await ask('PATCH', path, { status: 'paused' });
    await ask('PATCH', path, { status: 'paused' });
    await ask('PATCH', path, { status: 'archived' });
    const rows = await rowsOf('campaign', campaignId);
    expect(rows.filter(({ action }) => action !== 'contact.added')).toEqual([
      {
        action: 'campaign.started',
        detail: {
          before: { status: 'draft', scheduledStartAt: null },
          after: { status: 'running', scheduledStartAt: Date.parse('2099-01-01T00:00:00Z') },
        },
      },
      { action: 'campaign.paused', detail: { before: { status: 'running' }, after: { status: 'paused' } } },
      { action: 'campaign.archived', detail: { before: { status: 'paused' }, after: { status: 'archived' } } },
    ]);
  });
});

describe('a request that changes nothing', () => {
  test.each([
    ['a retry of nobody', 'retry', { status: 'failed' }],
    ['a pause of nobody', 'contacts/pause', { contactIds: [999_999] }],
    ['a deletion of nobody', 'contacts/delete', { contactIds: [999_999] }],
  ])('%s leaves no row [D3.7]', async (_name, path, body) => {
    const campaignId = await newCampaign();
    await ask('POST', `/api/campaigns/${campaignId}/${path}`, body);
    expect(await rowsOf('campaign', campaignId)).toEqual([]);
  });

  test('a deletion of no attempt leaves no row [D3.7]', async () => {
    await ask('POST', '/api/call-attempts/delete', { attemptIds: [999_999] });
    expect((await ask('GET', '/api/audit-logs?q=attempt.deleted')).total).toBe(0);
  });
});
