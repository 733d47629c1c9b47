import { BY_CONSENTS, BY_DO_NOT_CALL, BY_LOCAL_WINDOW, MARKETING_CONSENT, type RulePack } from './rule-pack.ts';

const CHECKED = '2026-11-29';

/** Source: 消费者权益保护法, 个人信息保护法, and the terms of carriers and cloud call centres */
export const CHINA: RulePack = {
  id: 'cn',
  name: { zh: '中国（诚信外呼）', en: 'China (honest outbound calls)' },
  note: {
    zh: '时段与次数没有法律条文，来自运营商与外呼平台的约定，请按您签署的承诺书选择。',
    en: 'No law names hours or counts: they come from the terms of carriers and platforms. Choose what your own agreement says.',
  },
  rules: [
    {
      id: 'cn/calling-hours',
      name: { zh: '外呼时段', en: 'Calling hours' },
      text: {
        zh: '只在被叫当地时间 8:00 到 21:00（或约定的 9:00 到 20:00）之间呼叫。',
        en: 'Calls are made from 8:00 to 21:00 local time of the called person, or from 9:00 to 20:00 where so agreed.',
      },
      source: {
        zh: '行业惯例：运营商与云呼叫中心的外呼规则（如腾讯云联络中心《电话号码外呼规则》：8:00–21:00）',
        en: 'Trade practice: outbound rules of carriers and cloud call centres (such as those of Tencent Cloud Contact Center: 8:00–21:00)',
      },
      isTradePractice: true,
      inForceFrom: null,
      lastChecked: CHECKED,
      policy: {
        type: 'daily_window',
        choices: [
          { id: '8-21', name: { zh: '8:00–21:00', en: '8:00–21:00' }, config: { start: '08:00', end: '21:00' } },
          { id: '9-20', name: { zh: '9:00–20:00', en: '9:00–20:00' }, config: { start: '09:00', end: '20:00' } },
        ],
      },
      appliedBy: BY_LOCAL_WINDOW,
    },
    {
      id: 'cn/calls-per-day',
      name: { zh: '每日次数', en: 'Calls per day' },
      text: {
        zh: '同一被叫号码 24 小时内的呼叫次数不超过约定的上限。',
        en: 'One number is called at most as often within 24 hours as agreed.',
      },
      source: {
        zh: '行业惯例：运营商与云呼叫中心的外呼规则（如腾讯云联络中心：同一被叫每 24 小时不超过 5 次）',
        en: 'Trade practice: outbound rules of carriers and cloud call centres (such as Tencent Cloud Contact Center: at most 5 per 24 hours)',
      },
      isTradePractice: true,
      inForceFrom: null,
      lastChecked: CHECKED,
      policy: {
        type: 'contact_frequency_limit',
        choices: [
          { id: '3', name: { zh: '24 小时 3 次', en: '3 in 24 hours' }, config: { days: 1, maxAttempts: 3 } },
          { id: '2', name: { zh: '24 小时 2 次', en: '2 in 24 hours' }, config: { days: 1, maxAttempts: 2 } },
          { id: '5', name: { zh: '24 小时 5 次', en: '5 in 24 hours' }, config: { days: 1, maxAttempts: 5 } },
        ],
      },
      appliedBy: { zh: '联系频次上限，跨全部活动计算', en: 'A frequency limit that counts the dials of all campaigns' },
    },
    {
      id: 'cn/refusals',
      name: { zh: '谢绝来电', en: 'Refused calls' },
      text: {
        zh: '消费者明确表示拒绝的，不得再向其发送商业性信息；登记了谢绝来电的号码不再呼叫。',
        en: 'Whoever has refused receives no commercial information; numbers registered as refusing calls are not called.',
      },
      source: {
        zh: '《消费者权益保护法》第二十九条第三款；“谢绝来电”名单本身为行业惯例',
        en: 'Law on the Protection of Consumer Rights and Interests, article 29(3); the registry of refused calls itself is trade practice',
      },
      isTradePractice: false,
      inForceFrom: '2014-03-15',
      lastChecked: CHECKED,
      policy: null,
      appliedBy: BY_DO_NOT_CALL,
    },
    {
      id: 'cn/consent',
      name: { zh: '营销须经同意', en: 'Consent to marketing' },
      text: {
        zh: '未经消费者同意或者请求，不得向其发送商业性信息；同意可以撤回。',
        en: 'No commercial information is sent to a consumer who has neither consented nor asked; consent can be withdrawn.',
      },
      source: {
        zh: '《消费者权益保护法》第二十九条第三款；《个人信息保护法》第十三条、第十五条',
        en: 'Law on the Protection of Consumer Rights and Interests, article 29(3); Personal Information Protection Law, articles 13 and 15',
      },
      isTradePractice: false,
      inForceFrom: '2021-11-01',
      lastChecked: CHECKED,
      policy: {
        type: 'consent_required',
        choices: [
          {
            id: 'off',
            name: { zh: '不检查（通知、催收等非营销外呼）', en: 'Not checked (notices, collections and other calls that sell nothing)' },
            config: null,
          },
          MARKETING_CONSENT,
        ],
      },
      appliedBy: BY_CONSENTS,
    },
  ],
};
