import { describe, expect, test } from '@jest/globals';
import type { NluEngine } from '#nlu/engine.ts';
import { CalloutError } from '#kernel/errors.ts';
import { type LogFields, silentLog } from '#kernel/log.ts';
import { profileOf, startNlu } from '#test/support/nlu/service.ts';

const BODY = { action: 'decision', profile: 'broken', text: '好', branches: [{ key: 'a', desc: '同意' }] };

function failing(error: Error): NluEngine {
  const fail = () => {
    throw error;
  };
  return { decide: fail, extract: fail };
}

describe('failures of a profile [D13.5]', () => {
  test.each([
    [new CalloutError('DOWNSTREAM_INVALID', '模型调用失败'), 502],
    [new CalloutError('DOWNSTREAM_TIMEOUT', '模型响应超时'), 504],
    [new CalloutError('RATE_LIMITED', '模型繁忙，请稍后再试', { retryAfterSeconds: 1 }), 429],
  ])('%s is %d', async (error, status) => {
    const nlu = await startNlu({ more: [profileOf('broken', failing(error))] });
    const answer = await nlu.post(BODY);
    await nlu.close();
    expect(answer).toMatchObject({ status, body: { ok: false, error: error.message } });
    expect(answer.headers['retry-after']).toBe(status === 429 ? '1' : undefined);
  });

  test('a bug is 500 with a trace id that the log contains, and no internal text', async () => {
    const logged: LogFields[] = [];
    const log = { ...silentLog, error: (fields: LogFields) => logged.push(fields) };
    const nlu = await startNlu({ more: [profileOf('broken', failing(new Error('secret /path')))], log });
    const { status, body } = await nlu.post(BODY);
    await nlu.close();
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(JSON.stringify(body)).toContain(String(logged[0]?.['traceId']));
  });
});
