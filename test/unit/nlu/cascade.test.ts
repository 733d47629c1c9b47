import { describe, expect, test } from '@jest/globals';
import { CASCADE_CONFIDENCE, cascadeEngine, withFallback } from '#nlu/cascade.ts';
import type { NluEngine } from '#nlu/engine.ts';
import { CalloutError } from '#kernel/errors.ts';

const TASK = { text: '好', branches: [{ key: 'a', desc: '同意' }] };

function answering(key: string, confidence: number): NluEngine & { asked: number } {
  const engine = {
    asked: 0,
    decide: () => {
      engine.asked += 1;
      return { key, confidence, reason: `${key}的理由` };
    },
    extract: () => {
      engine.asked += 1;
      return { fields: { [key]: 1 }, confidence, reason: `${key}的理由` };
    },
  };
  return engine;
}

function failing(error: Error): NluEngine {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { decide: fail, extract: fail };
}

const TIMED_OUT = new CalloutError('DOWNSTREAM_TIMEOUT', '模型响应超时');

describe('cascade [issue 4]', () => {
  test('the model is not queried when the local engine is sure', async () => {
    const model = answering('model', 0.9);
    const cascade = cascadeEngine(answering('local', CASCADE_CONFIDENCE), model);
    expect(await cascade.decide(TASK)).toMatchObject({ key: 'local' });
    expect(await cascade.extract({ text: '', fields: [] })).toMatchObject({ fields: { local: 1 } });
    expect(model.asked).toBe(0);
  });

  test('the model decides when the local engine is not sure', async () => {
    expect(await cascadeEngine(answering('local', 0.79), answering('model', 0.6)).decide(TASK)).toMatchObject({ key: 'model' });
  });

  test('the local engine decides when the model fails, and the reason says so', async () => {
    const result = await cascadeEngine(answering('local', 0.3), failing(TIMED_OUT)).decide(TASK);
    expect(result).toEqual({ key: 'local', confidence: 0.3, reason: '模型响应超时，改用本地引擎：local的理由' });
  });
});

describe('fallback: local [D13.8]', () => {
  test('the model decides when it can', async () => {
    expect(await withFallback(answering('model', 0.2), answering('local', 0.9)).decide(TASK)).toMatchObject({ key: 'model' });
  });

  test('the local engine decides when the model fails', async () => {
    const result = await withFallback(failing(TIMED_OUT), answering('local', 0.9)).extract({ text: '', fields: [] });
    expect(result).toEqual({ fields: { local: 1 }, confidence: 0.9, reason: '模型响应超时，改用本地引擎：local的理由' });
  });

  test('an internal error is not hidden', async () => {
    await expect(withFallback(failing(new TypeError('bug')), answering('local', 1)).decide(TASK)).rejects.toThrow('bug');
  });
});
