import {
  BY_ABANDONMENT_LIMIT,
  BY_CONSENTS,
  BY_DO_NOT_CALL,
  BY_LOCAL_WINDOW,
  CONSENT_TO_SELL,
  onlyWay,
  type RulePack,
} from './rule-pack.ts';

const CHECKED = '2026-11-29';

/** Source: Telemarketing Sales Rule, 16 CFR part 310; rules under the Telephone Consumer Protection Act, 47 CFR § 64.1200 */
export const UNITED_STATES: RulePack = {
  id: 'us',
  name: { zh: '美国（TSR / TCPA）', en: 'United States (TSR / TCPA)' },
  note: {
    zh: '联邦规则；各州可能更严（时段、周日、节假日）。合成语音外呼按人工或预录语音处理（FCC 24-17）。',
    en: 'Federal rules; states may be stricter (hours, Sundays, holidays). Calls with a generated voice count as artificial voice (FCC 24-17).',
  },
  rules: [
    {
      id: 'us/calling-hours',
      name: { zh: '外呼时段', en: 'Calling hours' },
      text: {
        zh: '除非事先征得同意，不得在被叫当地时间 8:00 到 21:00 以外呼叫。',
        en: "Without prior consent nobody is called outside 8:00 a.m. to 9:00 p.m., local time at the called person's location.",
      },
      source: { zh: '16 CFR § 310.4(c)；47 CFR § 64.1200(c)(1)', en: '16 CFR § 310.4(c); 47 CFR § 64.1200(c)(1)' },
      isTradePractice: false,
      inForceFrom: '1995-12-31',
      lastChecked: CHECKED,
      policy: onlyWay('daily_window', { start: '08:00', end: '21:00' }, { zh: '8:00–21:00', en: '8:00–21:00' }),
      appliedBy: BY_LOCAL_WINDOW,
    },
    {
      id: 'us/abandonment',
      name: { zh: '弃呼率 30 天不超过 3%', en: 'At most 3 % abandoned in 30 days' },
      text: {
        zh: '一个活动在 30 天内弃呼的不得超过真人接听的 3%。',
        en: 'A campaign abandons at most three percent of the calls that a person answers, measured over 30 days.',
      },
      source: { zh: '16 CFR § 310.4(b)(4)(i)；47 CFR § 64.1200(a)(7)', en: '16 CFR § 310.4(b)(4)(i); 47 CFR § 64.1200(a)(7)' },
      isTradePractice: false,
      inForceFrom: '2008-10-01',
      lastChecked: CHECKED,
      policy: onlyWay('abandonment_limit', { hours: 720, maxPercent: 3 }, { zh: '30 天 3%', en: '3 % in 30 days' }),
      appliedBy: BY_ABANDONMENT_LIMIT,
    },
    {
      id: 'us/consent',
      name: { zh: '营销须有书面同意', en: 'Written consent to marketing' },
      text: {
        zh: '以自动拨号或合成、预录语音作营销呼叫，须有被叫事先的书面同意；同意可以随时撤回。',
        en: 'Marketing calls with an autodialler or an artificial or prerecorded voice need prior express written consent, which can be revoked.',
      },
      source: { zh: '47 CFR § 64.1200(a)(2)、(a)(3)、(f)（定义）', en: '47 CFR § 64.1200(a)(2), (a)(3) and (f) (definitions)' },
      isTradePractice: false,
      inForceFrom: '2013-10-16',
      lastChecked: CHECKED,
      policy: CONSENT_TO_SELL,
      appliedBy: BY_CONSENTS,
    },
    {
      id: 'us/reassigned-numbers',
      name: { zh: '已转让的号码', en: 'Reassigned numbers' },
      text: {
        zh: '号码转给他人后，原机主的同意不再有效；查询转让号码数据库者可以免责。',
        en: 'Consent ends when a number is reassigned to somebody else; whoever asks the Reassigned Numbers Database has a safe harbour.',
      },
      source: { zh: '47 CFR § 64.1200(m)', en: '47 CFR § 64.1200(m)' },
      isTradePractice: false,
      inForceFrom: '2021-11-01',
      lastChecked: CHECKED,
      policy: null,
      appliedBy: {
        zh: '同意台账：把数据库的结果作为撤回导入，此前的同意即失效；数据库本身需自行查询',
        en: 'The ledger of consents: import what the database answers as revocations, which end earlier consents. The database itself is yours to ask',
      },
    },
    {
      id: 'us/do-not-call',
      name: { zh: '勿扰登记', en: 'Do not call' },
      text: {
        zh: '登记在全国勿扰名单的号码，以及要求不再来电者，不得呼叫。',
        en: 'Numbers on the National Do Not Call Registry and people who asked for no more calls are not called.',
      },
      source: {
        zh: '16 CFR § 310.4(b)(1)(iii)；47 CFR § 64.1200(c)(2)、(d)',
        en: '16 CFR § 310.4(b)(1)(iii); 47 CFR § 64.1200(c)(2) and (d)',
      },
      isTradePractice: false,
      inForceFrom: '2003-10-01',
      lastChecked: CHECKED,
      policy: null,
      appliedBy: BY_DO_NOT_CALL,
    },
  ],
};
