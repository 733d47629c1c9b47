import type { RuntimeScript } from '#protocol/runtime-script.ts';

/** Script of the check's calls: it speaks, listens once and says goodbye. */
export const SCRIPT: RuntimeScript = {
  id: 7,
  version: 2,
  hash: 'runtime-check',
  entryNodeId: 'start',
  nodes: {
    start: { id: 'start', type: 'start', name: '开始', config: {}, next: 'greet' },
    greet: { id: 'greet', type: 'send', name: '问候', config: { text: '您好，这里是{{shop}}，打扰您一分钟。' }, next: 'ask' },
    ask: {
      id: 'ask',
      type: 'collect',
      name: '提问',
      config: { text: '我们最近有新的套餐，您想了解一下吗？', listenMs: 6_000, retries: 1, variable: 'answer' },
      next: 'thank',
    },
    thank: { id: 'thank', type: 'end', name: '结束', config: { phrase: 'thank' }, next: null },
  },
  variables: { shop: '示例营业厅' },
  phrases: { thank: '好的，感谢您的接听，祝您生活愉快，再见。' },
  nlu: { profile: null, branches: [], fields: [] },
  resultRules: [{ when: { node: 'thank' }, classification: 'A', intent: '已接听' }],
};
