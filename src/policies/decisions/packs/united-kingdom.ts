import { BY_ABANDONMENT_LIMIT, BY_CONSENTS, BY_DO_NOT_CALL, CONSENT_TO_SELL, onlyWay, type RulePack } from './rule-pack.ts';

const CHECKED = '2026-11-29';

/**
 * Source: Communications Act 2003 ss. 128 to 131; Ofcom, Persistent Misuse, statement of 20 December 2016 (from 1 March 2017), which
 * replaced that of 2010; Privacy and Electronic Communications (EC Directive) Regulations 2003
 */
export const UNITED_KINGDOM: RulePack = {
  id: 'uk',
  name: { zh: '英国（Ofcom / PECR）', en: 'United Kingdom (Ofcom / PECR)' },
  note: {
    zh: 'Ofcom 2016 年的声明取代了写有 3% 与 72 小时的旧声明；这两个数字因此按行业惯例列出。',
    en: 'The statement of 2016 replaced the earlier ones, which named 3 % and 72 hours: both figures therefore stand here as trade practice.',
  },
  rules: [
    {
      id: 'uk/rest-after-abandoned',
      name: { zh: '弃呼后 72 小时', en: '72 hours after an abandoned call' },
      text: {
        zh: '弃呼之后 72 小时内，不得再以自动拨号呼叫同一号码，除非保证有人接听。',
        en: 'After an abandoned call the number is not called again by a dialler within 72 hours, unless a live operator is guaranteed.',
      },
      source: {
        zh: '行业惯例：Ofcom 关于持续滥用的声明 2008 年版（2010 年修订）',
        en: "Trade practice: Ofcom's statement of policy on persistent misuse, 2008 as amended in 2010",
      },
      isTradePractice: true,
      inForceFrom: null,
      lastChecked: CHECKED,
      policy: onlyWay('abandoned_rest', { hours: 72 }, { zh: '72 小时', en: '72 hours' }),
      appliedBy: {
        zh: '弃呼后的等待：联系人等到 72 小时期满；坐席亲自拨打不受限',
        en: 'A rest after an abandoned call: the contact waits until the 72 hours are over. Agents may call by hand',
      },
    },
    {
      id: 'uk/abandonment',
      name: { zh: '弃呼率 24 小时不超过 3%', en: 'At most 3 % abandoned in 24 hours' },
      text: {
        zh: '一个活动在任何 24 小时内弃呼的不超过真人接听的 3%。',
        en: 'A campaign abandons at most three percent of its live calls in any 24 hours.',
      },
      source: {
        zh: '行业惯例：Ofcom 关于持续滥用的声明 2008 年版（2010 年修订）；依据为 Communications Act 2003 第 128–131 条',
        en: "Trade practice: Ofcom's statement of policy on persistent misuse, 2008 as amended in 2010, under the Communications Act 2003, ss. 128–131",
      },
      isTradePractice: true,
      inForceFrom: null,
      lastChecked: CHECKED,
      policy: onlyWay('abandonment_limit', { hours: 24, maxPercent: 3 }, { zh: '24 小时 3%', en: '3 % in 24 hours' }),
      appliedBy: BY_ABANDONMENT_LIMIT,
    },
    {
      id: 'uk/consent',
      name: { zh: '自动语音营销须经同意', en: 'Consent to automated marketing' },
      text: {
        zh: '用自动呼叫系统播放录音作直接营销，须有被叫事先的同意。',
        en: 'Direct marketing by an automated calling system that plays recorded matter needs prior consent of the subscriber.',
      },
      source: {
        zh: 'Privacy and Electronic Communications (EC Directive) Regulations 2003，第 19 条',
        en: 'Privacy and Electronic Communications (EC Directive) Regulations 2003, regulation 19',
      },
      isTradePractice: false,
      inForceFrom: '2003-12-11',
      lastChecked: CHECKED,
      policy: CONSENT_TO_SELL,
      appliedBy: BY_CONSENTS,
    },
    {
      id: 'uk/do-not-call',
      name: { zh: '拒接营销登记', en: 'Objections' },
      text: {
        zh: '登记在 TPS 或已向呼叫者表示反对的号码，不得作营销呼叫。',
        en: 'Numbers registered with the TPS, and subscribers who have objected, are not called for marketing.',
      },
      source: {
        zh: 'Privacy and Electronic Communications (EC Directive) Regulations 2003，第 21 条',
        en: 'Privacy and Electronic Communications (EC Directive) Regulations 2003, regulation 21',
      },
      isTradePractice: false,
      inForceFrom: '2003-12-11',
      lastChecked: CHECKED,
      policy: null,
      appliedBy: BY_DO_NOT_CALL,
    },
  ],
};
