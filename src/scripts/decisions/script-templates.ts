import type { ScriptGraph, ScriptNode } from '#protocol/script.ts';

/** A script to begin with; an editor names it in the language of its reader. */
export interface ScriptTemplate {
  key: string;
  body: ScriptGraph;
}

type Next = ScriptNode['next'];

const node = (id: string, type: string, name: string, config: ScriptNode['config'] = {}, next: Next = null): ScriptNode => ({
  id,
  type,
  name,
  config,
  next,
});

const start = (next: string) => node('start', 'start', '开始', {}, next);
const YES = { key: 'yes', desc: '客户同意、愿意、可以' };
const NO = { key: 'no', desc: '客户拒绝、不需要、没兴趣' };
const BUSY = { key: 'busy', desc: '客户没空、在忙、改天再说' };
const PERSON = { key: 'person', desc: '客户要求人工、投诉' };
const otherwise = { when: {}, classification: '其他', intent: null };

const BLANK: ScriptGraph = {
  entryNodeId: 'start',
  nodes: [
    start('hello'),
    node('hello', 'send', '问候', { text: '您好，{{customerName}}。' }, 'bye'),
    node('bye', 'end', '道别', { text: '再见。' }),
  ],
  variables: [],
  phrases: [],
  nlu: { profile: null, branches: [], fields: [] },
  resultRules: [otherwise],
};

const SURVEY: ScriptGraph = {
  entryNodeId: 'start',
  nodes: [
    start('ask'),
    node('ask', 'collect', '征求同意', { phrase: 'opening' }, { silence: 'bye', default: 'willing' }),
    node('willing', 'router', '是否愿意', {}, { no: 'bye', busy: 'bye', person: 'agent', default: 'score' }),
    node('score', 'collect', '评分', { phrase: 'score', fields: ['score'], retryPhrase: 'scoreAgain' }, 'reason'),
    node('reason', 'collect', '原因', { phrase: 'reason', variable: 'reason' }, 'thanks'),
    node('thanks', 'end', '致谢', { phrase: 'thanks' }),
    node('agent', 'transfer', '转人工', { text: '好的，我为您转接人工坐席，请稍候。' }),
    node('bye', 'end', '道别', { text: '好的，打扰您了，祝您生活愉快，再见。' }),
  ],
  variables: [{ key: 'shop', label: '服务名称', defaultValue: '我们的服务' }],
  phrases: [
    { key: 'opening', text: '您好，{{customerName}}，我想请您为{{shop}}打个分，只要一分钟，方便吗？' },
    { key: 'score', text: '如果满分是十分，您给几分？' },
    { key: 'scoreAgain', text: '请说一个零到十的数字。' },
    { key: 'reason', text: '谢谢，主要是因为什么？' },
    { key: 'thanks', text: '您的意见我们已经记下，感谢您的时间，再见。' },
  ],
  nlu: { profile: null, branches: [YES, NO, BUSY, PERSON], fields: [{ key: 'score', label: '评分', type: 'number' }] },
  resultRules: [
    { when: { node: 'agent' }, classification: '转人工', intent: null },
    { when: { variable: 'score', atLeast: 9 }, classification: '推荐者', intent: '满意' },
    { when: { variable: 'score', atMost: 6 }, classification: '贬损者', intent: '不满意' },
    { when: { variable: 'score' }, classification: '中立者', intent: null },
    { when: { node: 'bye' }, classification: '未参加', intent: null },
    otherwise,
  ],
};

const APPOINTMENT: ScriptGraph = {
  entryNodeId: 'start',
  nodes: [
    start('ask'),
    node('ask', 'collect', '核对预约', { phrase: 'opening' }, { silence: 'unheard', default: 'answer' }),
    node('answer', 'router', '能否到场', {}, { no: 'other', busy: 'other', person: 'agent', default: 'kept' }),
    node('other', 'collect', '改期', { phrase: 'other', fields: ['newTime'], variable: 'wish' }, 'moved'),
    node('kept', 'end', '确认', { phrase: 'kept' }),
    node('moved', 'end', '改期道别', { phrase: 'moved' }),
    node('unheard', 'end', '没有听到', { text: '没有听到您的回答，我们稍后再联系您，再见。' }),
    node('agent', 'transfer', '转人工', { text: '好的，我为您转接人工坐席，请稍候。' }),
  ],
  variables: [
    { key: 'appointment', label: '预约时间', defaultValue: null },
    { key: 'place', label: '地点', defaultValue: '门店' },
  ],
  phrases: [
    { key: 'opening', text: '您好，{{customerName}}，您预约了{{appointment}}到{{place}}，届时能来吗？' },
    { key: 'other', text: '没关系，您希望改到什么时间？' },
    { key: 'kept', text: '好的，我们{{appointment}}见，再见。' },
    { key: 'moved', text: '好的，已经记下，工作人员会与您确认新的时间，再见。' },
  ],
  nlu: { profile: null, branches: [YES, NO, BUSY, PERSON], fields: [{ key: 'newTime', label: '希望的时间', type: 'datetime' }] },
  resultRules: [
    { when: { node: 'kept' }, classification: '确认到场', intent: '到场' },
    { when: { node: 'moved' }, classification: '要求改期', intent: '改期' },
    { when: { node: 'agent' }, classification: '转人工', intent: null },
    otherwise,
  ],
};

const INTEREST: ScriptGraph = {
  entryNodeId: 'start',
  nodes: [
    start('ask'),
    node('ask', 'collect', '介绍并询问', { phrase: 'opening' }, { silence: 'unheard', default: 'answer' }),
    node('answer', 'router', '是否有兴趣', {}, { 有兴趣: 'interested', 没兴趣: 'refused', 以后再说: 'later', default: 'unclear' }),
    node('interested', 'end', '有兴趣', { phrase: 'interested' }),
    node('refused', 'end', '没兴趣', { phrase: 'refused' }),
    node('later', 'collect', '约定时间', { phrase: 'later', variable: 'laterAt' }, 'noted'),
    node('noted', 'end', '以后再说', { phrase: 'noted' }),
    node('unclear', 'end', '没有听清', { phrase: 'refused' }),
    node('unheard', 'end', '没有听到', { text: '没有听到您的回答，我们稍后再联系您，再见。' }),
  ],
  variables: [{ key: 'offer', label: '产品或活动', defaultValue: '我们的新活动' }],
  phrases: [
    { key: 'opening', text: '您好，{{customerName}}，打扰您一分钟，想向您介绍{{offer}}，您有兴趣了解一下吗？' },
    { key: 'interested', text: '太好了，稍后我们的顾问会与您联系，再见。' },
    { key: 'refused', text: '好的，不打扰您了，祝您生活愉快，再见。' },
    { key: 'later', text: '没关系，您什么时候方便？' },
    { key: 'noted', text: '好的，已经记下，我们到时再联系您，再见。' },
  ],
  nlu: {
    profile: null,
    branches: [
      { key: '有兴趣', desc: '客户愿意了解，例如：好啊、可以、有兴趣、你说说看、多少钱' },
      { key: '没兴趣', desc: '客户拒绝，例如：不需要、没兴趣、不用了、别打了' },
      { key: '以后再说', desc: '客户现在没空，例如：在开会、在忙、晚点打、改天再说' },
    ],
    fields: [],
  },
  resultRules: [
    { when: { node: 'interested' }, classification: '有兴趣', intent: 'A' },
    { when: { node: 'noted' }, classification: '以后再说', intent: 'B' },
    { when: { node: 'refused' }, classification: '没兴趣', intent: 'D' },
    otherwise,
  ],
};

const PAYMENT: ScriptGraph = {
  entryNodeId: 'start',
  nodes: [
    start('ask'),
    node('ask', 'collect', '提醒还款', { phrase: 'opening' }, { silence: 'unheard', default: 'answer' }),
    node('answer', 'router', '客户态度', {}, { no: 'refused', busy: 'refused', person: 'agent', asks: 'explain', default: 'when' }),
    node(
      'explain',
      'chat',
      '解答',
      { phrase: 'explain', maxTurns: 3, answers: [{ desc: '询问金额', text: '应还{{amount}}元。' }] },
      'when',
    ),
    node('when', 'collect', '约定时间', { phrase: 'when', fields: ['payDate'] }, 'promised'),
    node('promised', 'end', '确认', { phrase: 'promised' }),
    node('refused', 'end', '道别', { phrase: 'refused' }),
    node('unheard', 'end', '没有听到', { text: '没有听到您的回答，我们稍后再联系您，再见。' }),
    node('agent', 'transfer', '转人工', { text: '好的，我为您转接人工坐席，请稍候。' }),
  ],
  variables: [
    { key: 'amount', label: '应还金额', defaultValue: null },
    { key: 'dueDate', label: '到期日', defaultValue: null },
  ],
  phrases: [
    { key: 'opening', text: '您好，{{customerName}}，您有一笔{{amount}}元的款项将于{{dueDate}}到期，请问能按时支付吗？' },
    { key: 'explain', text: '详细账单可以在手机应用里查看，到期日是{{dueDate}}。' },
    { key: 'when', text: '请问您打算哪一天支付？' },
    { key: 'promised', text: '好的，已经记下，感谢您的配合，再见。' },
    { key: 'refused', text: '好的，请您留意到期日{{dueDate}}，再见。' },
  ],
  nlu: {
    profile: null,
    branches: [YES, NO, BUSY, PERSON, { key: 'asks', desc: '客户询问金额、账单、怎么支付等问题' }],
    fields: [{ key: 'payDate', label: '支付日期', type: 'date' }],
  },
  resultRules: [
    { when: { node: 'promised' }, classification: '承诺支付', intent: '承诺' },
    { when: { node: 'refused' }, classification: '未承诺', intent: null },
    { when: { node: 'agent' }, classification: '转人工', intent: null },
    otherwise,
  ],
};

export const SCRIPT_TEMPLATES: readonly ScriptTemplate[] = [
  { key: 'blank', body: BLANK },
  { key: 'survey', body: SURVEY },
  { key: 'appointment', body: APPOINTMENT },
  { key: 'payment', body: PAYMENT },
  { key: 'interest', body: INTEREST },
];
