import { describe, expect, test } from '@jest/globals';
import { runtimeScript, type RuntimeScript } from '#protocol/runtime-script.ts';
import { compileRuntime } from '#scripts/decisions/compile.ts';
import { SCRIPT_TEMPLATES } from '#scripts/decisions/script-templates.ts';
import { runTrial, type TrialAnswer, type TrialUnderstanding } from '#scripts/decisions/trial.ts';

const script = (key: string): RuntimeScript => {
  const template = SCRIPT_TEMPLATES.find(each => each.key === key);
  if (!template) throw new Error(`no template ${key}`);
  return runtimeScript.parse(compileRuntime({ ...template.body, id: 1, version: 1 }));
};

/** Answers what the test says, and counts the questions. */
function listener(keyOf: (text: string) => string, fields: Record<string, string | number> = {}) {
  const questions: string[] = [];
  const understanding: TrialUnderstanding = {
    decide: ({ text }) => {
      questions.push(text);
      return Promise.resolve({ kind: 'decided', key: keyOf(text), confidence: 0.9, reason: '', byKeywords: false });
    },
    extract: ({ text }) => {
      questions.push(text);
      return Promise.resolve({ kind: 'extracted', fields, confidence: 0.8, reason: '', byKeywords: false });
    },
  };
  return { understanding, questions };
}

const words = ({ events }: { events: readonly { kind: string; text: string }[] }) => events.map(({ kind, text }) => `${kind} ${text}`);

describe('a trial of a script [D11]', () => {
  test('speaks until the customer is to speak, with the variables filled in', async () => {
    const { understanding } = listener(() => 'default');
    const trial = await runTrial({ script: script('survey'), said: [], answers: [], variables: { customerName: '张三' } }, understanding);
    expect(words(trial)).toEqual(['bot 您好，张三，我想请您为我们的服务打个分，只要一分钟，方便吗？']);
    expect(trial).toMatchObject({ nodeId: 'ask', end: 'waiting', classification: null });
  });

  test('goes on by the decided branch, asks what it has asked before no second time, and classifies the end', async () => {
    const { understanding, questions } = listener(() => 'default', { score: 10 });
    const input = { script: script('survey'), variables: {} };
    const first = await runTrial({ ...input, said: ['方便'], answers: [] }, understanding);
    expect(first).toMatchObject({ nodeId: 'score', end: 'waiting' });
    expect(questions).toEqual(['方便']);
    const second = await runTrial({ ...input, said: ['方便', '十分', '很快'], answers: first.answers }, understanding);
    expect(questions).toEqual(['方便', '十分']);
    expect(second).toMatchObject({ nodeId: 'thanks', end: 'end', classification: '推荐者', intent: '满意' });
    expect(second.variables).toMatchObject({ score: 10, reason: '很快' });
    expect(words(second)).toContain('extraction 评分: 10');
  });

  test('a known answer that no longer fits the question is requested again, and so are all later ones', async () => {
    const { understanding, questions } = listener(() => 'no');
    const stale: TrialAnswer[] = [
      { kind: 'extracted', fields: {}, confidence: 1, reason: '', byKeywords: false },
      { kind: 'decided', key: 'yes', confidence: 1, reason: '', byKeywords: false },
    ];
    const trial = await runTrial({ script: script('survey'), said: ['不用了'], answers: stale, variables: {} }, understanding);
    expect(questions).toEqual(['不用了']);
    expect(trial).toMatchObject({ nodeId: 'bye', end: 'end', classification: '未参加' });
    expect(trial.answers).toHaveLength(1);
  });

  test('silence repeats the question and then takes its branch', async () => {
    const { understanding } = listener(() => 'default');
    const trial = await runTrial({ script: script('appointment'), said: [null, null], answers: [], variables: {} }, understanding);
    expect(trial).toMatchObject({ nodeId: 'unheard', end: 'end' });
    expect(trial.events.map(({ kind }) => kind)).toEqual(['bot', 'silence', 'bot', 'silence', 'bot']);
  });

  test('a transfer ends it, as if an agent had come', async () => {
    const { understanding } = listener(() => 'person');
    const trial = await runTrial({ script: script('payment'), said: ['找人工'], answers: [], variables: {} }, understanding);
    expect(trial).toMatchObject({ nodeId: 'agent', end: 'transfer', classification: '转人工' });
    expect(trial.events.at(-1)).toMatchObject({ kind: 'transfer', text: '转人工' });
  });

  test('a faulty draft is walked as far as it leads', async () => {
    const whole = script('blank');
    const broken = { ...whole, nodes: { ...whole.nodes, hello: { ...whole.nodes['hello']!, next: 'nowhere' } } };
    const trial = await runTrial({ script: broken, said: [], answers: [], variables: {} }, listener(() => 'default').understanding);
    expect(trial).toMatchObject({ end: 'dead_end' });
  });
});
