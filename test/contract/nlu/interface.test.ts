import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { capabilities, decisionResult, extractResult } from '#protocol/nlu-answers.ts';
import { type NluRig, startNlu } from '#test/support/nlu/service.ts';

const BRANCHES = [
  { key: 'agree', desc: '客户同意' },
  { key: 'refuse', desc: '客户拒绝' },
  { key: 'busy', desc: '客户正在忙' },
];
const DECISION = { action: 'decision', profile: 'local', text: '我在开会呢', branches: BRANCHES };
const EXTRACT = {
  action: 'extract',
  profile: 'local',
  text: '我叫张伟 今年三十五',
  fields: [
    { key: 'name', label: '姓名', type: 'text' },
    { key: 'age', label: '年龄', type: 'number' },
    { key: 'email', label: '邮箱', type: 'text' },
  ],
};

let nlu: NluRig;
beforeAll(async () => {
  nlu = await startNlu();
});
afterAll(() => nlu.close());

describe('health and capabilities', () => {
  test('GET /health names the service [NLU §2]', async () => {
    expect(await nlu.send('GET', '/health')).toMatchObject({ status: 200, body: { ok: true, data: { service: 'callout-nlu' } } });
  });

  test('the listing covers both actions and names the default profile [D13.1, D13.7]', async () => {
    const { status, body } = await nlu.send('GET', '/api/v1/nlu/capabilities');
    expect(status).toBe(200);
    const listing = capabilities.strict().parse((body as { data: unknown }).data);
    expect(listing.actions.decision).toEqual(listing.actions.extract);
    expect(listing.actions.decision).toMatchObject({ defaultProfile: 'local', profiles: [{ key: 'local' }] });
  });
});

describe('decision', () => {
  test('returns the key of a given branch, a confidence in 0..1 and a Chinese reason [D13.2]', async () => {
    const { status, headers, body } = await nlu.post(DECISION);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' });
    const result = decisionResult.strict().parse((body as { data: unknown }).data);
    expect(result.key).toBe('busy');
    expect(result.reason).toMatch(/\p{Script=Han}/u);
  });

  test.each([undefined, null])('profile %s means the default profile [D13.1]', async profile => {
    expect(await nlu.post({ ...DECISION, profile })).toMatchObject({ status: 200, body: { ok: true, data: { key: 'busy' } } });
  });

  test('examples teach what a description does not say, and empty ones nothing [D13.9]', async () => {
    const branches = [
      { key: 'agree', desc: '客户同意', examples: ['得嘞', '妥妥的', '整一个'] },
      { key: 'refuse', desc: '客户拒绝', examples: ['歇菜', '拉倒吧您呐', '洗洗睡'] },
      { key: 'busy', desc: '客户正在忙', examples: [] },
    ];
    const { body } = await nlu.post({ ...DECISION, text: '洗洗睡吧', branches });
    expect(decisionResult.strict().parse((body as { data: unknown }).data)).toMatchObject({ key: 'refuse' });
    expect(await nlu.post({ ...DECISION, branches })).toMatchObject({ status: 200, body: { ok: true, data: { key: 'busy' } } });
  });

  test('an example that stands in two branches is named [D13.9]', async () => {
    const branches = BRANCHES.map((branch, at) => ({ ...branch, examples: at < 2 ? ['再说吧', `例${at}`] : ['在开车'] }));
    const { body } = await nlu.post({ ...DECISION, branches });
    expect(decisionResult.strict().parse((body as { data: unknown }).data).contradictions).toEqual([
      { text: '再说吧', keys: ['agree', 'refuse'] },
    ]);
  });

  test.each(['default', 'other', 'unknown', 'fallback'])('without any evidence the branch marked %s is chosen [D13.2]', async key => {
    const branches = [...BRANCHES, { key, desc: '' }];
    const { body } = await nlu.post({ ...DECISION, text: '嘤嘤嘤嘤', branches });
    expect(body).toMatchObject({ ok: true, data: { key } });
  });

  test('silence is an utterance [D13.4]', async () => {
    const branches = [...BRANCHES, { key: 'silent', desc: '客户没有说话' }];
    expect(await nlu.post({ ...DECISION, text: '', branches })).toMatchObject({ status: 200, body: { data: { key: 'silent' } } });
  });

  test('a single branch is always chosen, with a confidence below certainty [D13.2]', async () => {
    const { body } = await nlu.post({ ...DECISION, branches: [{ key: 'only', desc: '不相干' }] });
    expect(body).toMatchObject({ ok: true, data: { key: 'only' } });
    expect(decisionResult.parse((body as { data: unknown }).data).confidence).toBeLessThan(1);
  });
});

describe('extract', () => {
  test('returns every requested key, absent as null [D13.3]', async () => {
    const { status, body } = await nlu.post(EXTRACT);
    expect(status).toBe(200);
    expect(extractResult.strict().parse((body as { data: unknown }).data).fields).toEqual({ name: '张伟', age: 35, email: null });
  });
});

describe('suffixed paths [D13.6]', () => {
  test.each(['/api/v1/nlu:decision', '/api/v1/nlu%3Adecision', '/api/v1/nlu:decision?trace=1'])('%s sets the action', async path => {
    const { action: _, ...body } = DECISION;
    expect(await nlu.post(body, path)).toMatchObject({ status: 200, body: { data: { key: 'busy' } } });
  });

  test('the same action in the body is accepted', async () => {
    expect((await nlu.post(EXTRACT, '/api/v1/nlu:extract')).status).toBe(200);
  });

  test('a different action in the body is 400', async () => {
    const { status, body } = await nlu.post(EXTRACT, '/api/v1/nlu:decision');
    expect({ status, body }).toEqual({ status: 400, body: { ok: false, error: '参数错误：action 与路径不一致，应为 decision' } });
  });
});

describe('the internal token [NLU §5]', () => {
  let guarded: NluRig;
  beforeAll(async () => {
    guarded = await startNlu({ token: 'tok-en-1' });
  });
  afterAll(() => guarded.close());

  test('health requires none [D13.7]', async () => {
    expect((await guarded.send('GET', '/health')).status).toBe(200);
  });

  test.each([{}, { 'x-callout-internal-token': '' }, { 'x-callout-internal-token': 'tok-en' }])('%j is 401', async headers => {
    const answers = await Promise.all([
      guarded.send('GET', '/api/v1/nlu/capabilities', { headers: { ...headers } }),
      guarded.send('POST', '/api/v1/nlu', { headers: { ...headers }, body: JSON.stringify(DECISION) }),
      guarded.send('POST', '/api/v1/nlu:extract', { headers: { ...headers }, body: 'not json' }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, body: { ok: false, error: expect.stringContaining('X-Callout-Internal-Token') } });
  });

  test('the correct one is accepted', async () => {
    const open = await startNlu({ token: 'secret' });
    const { status } = await open.send('GET', '/api/v1/nlu/capabilities', { headers: { 'X-Callout-Internal-Token': 'secret' } });
    await open.close();
    expect(status).toBe(200);
  });
});
