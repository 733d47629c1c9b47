import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type NluAnswer, type NluRig, startNlu } from '#test/support/nlu/service.ts';

const BRANCHES = [
  { key: 'agree', desc: '客户同意' },
  { key: 'busy', desc: '客户正在忙' },
];
const FIELDS = [{ key: 'age', label: '年龄', type: 'number' }];
const decision = (over: object) => ({ action: 'decision', profile: 'local', text: '好的', branches: BRANCHES, ...over });
const extract = (over: object) => ({ action: 'extract', profile: 'local', text: '三十岁', fields: FIELDS, ...over });
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `k${index}`, desc: `分支${index}` }));
const withExamples = (examples: unknown) => [BRANCHES[0], { ...BRANCHES[1], examples }];
const texts = (count: number, start = '说法') => Array.from({ length: count }, (_, index) => `${start}${index}`);

let nlu: NluRig;
beforeAll(async () => {
  nlu = await startNlu();
});
afterAll(() => nlu.close());

/** Expects an error in the envelope with a Chinese message. */
function expectError({ status, body }: NluAnswer, wanted: number, error: string | RegExp): void {
  expect({ status, body }).toEqual({
    status: wanted,
    body: { ok: false, error: typeof error === 'string' ? error : expect.stringMatching(error) },
  });
}

describe('a body that breaks a rule is 400 and names the field [D13.5]', () => {
  test.each<[string, object, string]>([
    ['no action', decision({ action: undefined }), '参数错误：action 不能缺少'],
    ['an unknown action', decision({ action: 'classify' }), '参数错误：action 只能是 decision 或 extract'],
    ['an action that is an inherited name', decision({ action: 'constructor' }), '参数错误：action 只能是 decision 或 extract'],
    ['an action of the wrong type', decision({ action: 1 }), '参数错误：action 只能是 decision 或 extract'],
    ['an unknown profile', decision({ profile: 'gpt' }), '参数错误：profile 不存在：gpt（可用：local）'],
    ['an empty profile', decision({ profile: '' }), '参数错误：profile 不存在：（可用：local）'],
    ['a profile of the wrong type', decision({ profile: 3 }), '参数错误：profile 必须是字符串'],
    ['no text', decision({ text: undefined }), '参数错误：text 不能缺少'],
    ['a text that is null', decision({ text: null }), '参数错误：text 必须是字符串'],
    ['a text that is a number', extract({ text: 42 }), '参数错误：text 必须是字符串'],
    ['5,000 characters', decision({ text: '好'.repeat(5_000) }), '参数错误：text 不能超过 4000 个字符'],
    ['no branches', decision({ branches: undefined }), '参数错误：branches 不能缺少'],
    ['branches that are an object', decision({ branches: {} }), '参数错误：branches 必须是数组'],
    ['an empty list of branches', decision({ branches: [] }), '参数错误：branches 不能为空'],
    ['65 branches', decision({ branches: many(65) }), '参数错误：branches 不能超过 64 项'],
    ['a branch that is a string', decision({ branches: ['agree'] }), '参数错误：branches[0] 必须是对象'],
    ['a branch that is null', decision({ branches: [...BRANCHES, null] }), '参数错误：branches[2] 必须是对象'],
    ['a branch without a key', decision({ branches: [{ desc: '同意' }] }), '参数错误：branches[0].key 不能缺少'],
    ['an empty key', decision({ branches: [{ key: '', desc: '同意' }] }), '参数错误：branches[0].key 不能为空'],
    ['a blank key', decision({ branches: [{ key: ' ', desc: '同意' }] }), '参数错误：branches[0].key 不能为空'],
    ['a key that is a number', decision({ branches: [{ key: 1, desc: '同意' }] }), '参数错误：branches[0].key 必须是字符串'],
    ['a branch without a description', decision({ branches: [{ key: 'a' }] }), '参数错误：branches[0].desc 不能缺少'],
    ['a description that is a list', decision({ branches: [{ key: 'a', desc: [] }] }), '参数错误：branches[0].desc 必须是字符串'],
    [
      'duplicate branch keys',
      decision({ branches: [...BRANCHES, { key: 'agree', desc: '又' }] }),
      '参数错误：branches[2].key 与前面的 key 重复',
    ],
    ['examples that are a text', decision({ branches: withExamples('好的') }), '参数错误：branches[1].examples 必须是数组'],
    ['201 examples of a branch', decision({ branches: withExamples(texts(201)) }), '参数错误：branches[1].examples 不能超过 200 项'],
    [
      '2,001 examples together',
      decision({ branches: many(11).map((branch, at) => ({ ...branch, examples: texts(at === 10 ? 1 : 200, `第${at}组`) })) }),
      '参数错误：branches 的例句合计不能超过 2000 条',
    ],
    ['an example that is a number', decision({ branches: withExamples(['好', 1]) }), '参数错误：branches[1].examples[1] 必须是字符串'],
    ['a blank example', decision({ branches: withExamples(['好', ' ']) }), '参数错误：branches[1].examples[1] 不能为空'],
    [
      'an example of 201 characters',
      decision({ branches: withExamples(['好'.repeat(201)]) }),
      '参数错误：branches[1].examples[0] 不能超过 200 个字符',
    ],
    ['the same example twice', decision({ branches: withExamples(['在忙', '开会', ' 在忙 ']) }), '参数错误：branches[1].examples[2] 重复'],
    ['no fields', extract({ fields: undefined }), '参数错误：fields 不能缺少'],
    ['an empty list of fields', extract({ fields: [] }), '参数错误：fields 不能为空'],
    ['65 fields', extract({ fields: many(65).map(({ key }) => ({ key, label: key, type: 'text' })) }), '参数错误：fields 不能超过 64 项'],
    ['duplicate field keys', extract({ fields: [...FIELDS, ...FIELDS] }), '参数错误：fields[1].key 与前面的 key 重复'],
    ['a field without a label', extract({ fields: [{ key: 'a', type: 'text' }] }), '参数错误：fields[0].label 不能缺少'],
    ['a field without a type', extract({ fields: [{ key: 'a', label: 'a' }] }), '参数错误：fields[0].type 不能缺少'],
    ['a field type of the wrong type', extract({ fields: [{ key: 'a', label: 'a', type: 1 }] }), '参数错误：fields[0].type 必须是字符串'],
  ])('%s', async (_, body, error) => {
    expectError(await nlu.post(body), 400, error);
  });

  test.each(['', '{', 'undefined', "{'a':1}", '\u0000', '{"action":"decision",}', '[1,2'])('%j is not JSON', async body => {
    expectError(await nlu.send('POST', '/api/v1/nlu', { body }), 400, '参数错误：请求体不是合法的 JSON');
  });

  test.each(['null', '[]', '"decision"', '1', 'true'])('%s is not an object', async body => {
    expectError(await nlu.send('POST', '/api/v1/nlu', { body }), 400, '参数错误：请求体必须是 JSON 对象');
    expectError(await nlu.send('POST', '/api/v1/nlu:decision', { body }), 400, '参数错误：请求体必须是 JSON 对象');
  });

  test('a compressed body', async () => {
    expectError(
      await nlu.send('POST', '/api/v1/nlu', { body: 'x', headers: { 'content-encoding': 'gzip' } }),
      400,
      '参数错误：请求体不能压缩',
    );
  });

  test('a body that is not UTF-8 is read with replacement characters', async () => {
    const body = Buffer.concat([Buffer.from('{"action":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expectError(await nlu.send('POST', '/api/v1/nlu', { body }), 400, /^参数错误：action/);
  });

  test('deep nesting', async () => {
    const deep = '['.repeat(60_000) + ']'.repeat(60_000);
    expectError(await nlu.send('POST', '/api/v1/nlu', { body: deep }), 400, '参数错误：请求体必须是 JSON 对象');
    expectError(
      await nlu.send('POST', '/api/v1/nlu', { body: `{"action":"decision","text":${deep}}` }),
      400,
      '参数错误：text 必须是字符串',
    );
  });
});

describe('values at the limits are accepted [D13.4]', () => {
  test('4,000 characters and 64 branches are accepted, including characters outside the BMP', async () => {
    expect((await nlu.post(decision({ text: '好'.repeat(4_000), branches: many(64) }))).status).toBe(200);
    expect((await nlu.post(decision({ text: '😀'.repeat(4_000) }))).status).toBe(200);
    expectError(await nlu.post(decision({ text: '😀'.repeat(4_001) })), 400, '参数错误：text 不能超过 4000 个字符');
  });

  test('a body over 2048 KiB is 413, with or without Content-Length', async () => {
    const body = JSON.stringify(decision({ padding: 'x'.repeat(2 * 1024 * 1024) }));
    expectError(await nlu.send('POST', '/api/v1/nlu', { body }), 413, '请求体超过 2048 KiB');
    expectError(await nlu.send('POST', '/api/v1/nlu', { body, headers: { 'transfer-encoding': 'chunked' } }), 413, '请求体超过 2048 KiB');
  });

  test('a body just within 2048 KiB is accepted', async () => {
    const frame = Buffer.byteLength(JSON.stringify(decision({ padding: '' })));
    expect((await nlu.post(decision({ padding: 'x'.repeat(2 * 1024 * 1024 - frame) }))).status).toBe(200);
  });
});

describe('paths and methods [D13.5]', () => {
  test.each(['/', '/api', '/api/v1/nlu/', '/api/v1/nlu:other', '/API/V1/NLU', '//health', '/api/v1/nlu/capabilities/x', '/%00'])(
    '%s is 404',
    async path => {
      expectError(await nlu.send('GET', path), 404, '路径不存在');
    },
  );

  test.each([
    ['POST', '/health', 'GET'],
    ['DELETE', '/api/v1/nlu/capabilities', 'GET'],
    ['GET', '/api/v1/nlu', 'POST'],
    ['PUT', '/api/v1/nlu:extract', 'POST'],
  ])('%s %s is 405 and allows %s', async (method, path, allow) => {
    const answer = await nlu.send(method, path);
    expectError(answer, 405, `不支持的方法，应为 ${allow}`);
    expect(answer.headers['allow']).toBe(allow);
  });
});

describe('odd characters are data', () => {
  test.each(['\u{d800}', 'a\u{dc00}b', '\u0000\u0007', '\u202e我在忙', '\ufeff', '\u200b'])(
    '%j as text, key, description and label',
    async odd => {
      const key = `k${odd}`;
      const chosen = await nlu.post(decision({ text: odd, branches: [{ key, desc: odd }] }));
      expect(chosen).toMatchObject({ status: 200, body: { ok: true, data: { key } } });
      const read = await nlu.post(extract({ text: odd, fields: [{ key, label: odd, type: odd }] }));
      expect(read).toMatchObject({ status: 200, body: { ok: true } });
      expect(Object.keys((read.body as { data: { fields: object } }).data.fields)).toEqual([key]);
    },
  );

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a key like any other', async key => {
    expect(await nlu.post(decision({ branches: [{ key, desc: '客户同意' }] }))).toMatchObject({ status: 200, body: { data: { key } } });
    const { body } = await nlu.post(extract({ fields: [{ key, label: '年龄', type: 'number' }] }));
    expect(JSON.stringify(body)).toContain(`"fields":{"${key}":30}`);
  });

  test('__proto__ in the body sets nothing', async () => {
    const body = '{"__proto__":{"action":"decision","text":"好","branches":[]},"profile":"local"}';
    expectError(await nlu.send('POST', '/api/v1/nlu', { body }), 400, '参数错误：action 不能缺少');
  });

  test('any strings get a response, never a 500', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.tuple(text, text), { maxLength: 6 }), async (said, pairs) => {
        const chosen = await nlu.post(decision({ text: said, branches: pairs.map(([key, desc]) => ({ key, desc })) }));
        const read = await nlu.post(extract({ text: said, fields: pairs.map(([key, label]) => ({ key, label, type: 'number' })) }));
        expect([200, 400]).toContain(chosen.status);
        expect(read.status).toBe(chosen.status);
      }),
      { numRuns: 60 },
    );
  });

  test('any JSON gets a response, never a 500', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('decision', 'extract'), async (value, action) => {
        const body =
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? { ...value, action }
            : { action, text: value, branches: value, fields: value };
        expect((await nlu.post(body)).status).toBe(400);
      }),
      { numRuns: 60 },
    );
  });
});

/** Sends bytes on a connection of its own; resolves to everything received until its end. */
async function exchangeBytes(port: number, bytes: string): Promise<{ head: string; body: unknown }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { head, body: body === '' ? null : JSON.parse(body) };
}

describe('bytes that never become a request are refused in the envelope too [NLU §1, D13.5]', () => {
  test.each<[string, string, number, string]>([
    ['no HTTP', 'HELLO\r\n\r\n', 400, '不是合法的 HTTP 请求'],
    ['an unknown method', 'FETCH /health HTTP/1.1\r\nhost: x\r\n\r\n', 400, '不是合法的 HTTP 请求'],
    ['a length that is no number', 'POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\ncontent-length: a\r\n\r\n', 400, '不是合法的 HTTP 请求'],
    ['endless headers', `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 413, '请求头过长'],
    [
      'an unknown expectation',
      'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: tea\r\n\r\n',
      400,
      '参数错误：Expect 只能是 100-continue',
    ],
  ])('%s', async (_, bytes, status, error) => {
    const { head, body } = await exchangeBytes(nlu.port, bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain('connection: close');
    expect(body).toEqual({ ok: false, error });
  });

  test.each([
    ['headers', 'POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\n'],
    ['a body', 'POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"action"'],
  ])('%s that never end', async (_, bytes) => {
    const rig = await startNlu({ requestTimeoutMs: 200 });
    const { head, body } = await exchangeBytes(rig.port, bytes);
    await rig.close();
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(body).toEqual({ ok: false, error: '请求没有在规定时间内传完' });
  });

  test('a request without a host is served', async () => {
    const { body } = await exchangeBytes(nlu.port, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(body).toMatchObject({ ok: true });
  });
});

describe('connections', () => {
  test('a client that disconnects in the middle of its body affects no other', async () => {
    const socket = connect(nlu.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"action"');
    socket.destroy();
    await once(socket, 'close');
    expect((await nlu.send('GET', '/health')).status).toBe(200);
  });

  test('draining completes a request in progress', async () => {
    const rig = await startNlu();
    const socket = connect(rig.port, '127.0.0.1');
    await once(socket, 'connect');
    const body = JSON.stringify(decision({}));
    socket.write(`POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 10)}`);
    expect((await rig.send('GET', '/health')).status).toBe(200);
    const drained = rig.listening.drain(5_000);
    socket.write(body.slice(10));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    await drained;
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
