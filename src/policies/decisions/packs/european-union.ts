import { BY_CONSENTS, BY_DO_NOT_CALL, onlyWay, type RulePack } from './rule-pack.ts';

const CHECKED = '2026-11-29';

/** Source: Directive 2002/58/EC, article 13; Regulation (EU) 2016/679 (GDPR), articles 6, 7 and 21 */
export const EUROPEAN_UNION: RulePack = {
  id: 'eu',
  name: { zh: '欧盟（ePrivacy / GDPR）', en: 'European Union (ePrivacy / GDPR)' },
  note: {
    zh: '时段与人工营销呼叫由成员国各自规定，请另设策略。',
    en: 'Hours, and marketing calls by people, are for each member state to rule: add policies of your own.',
  },
  rules: [
    {
      id: 'eu/consent',
      name: { zh: '自动呼叫须经同意', en: 'Consent to automated calls' },
      text: {
        zh: '以无人介入的自动呼叫系统作直接营销，须有事先同意；须能证明同意，撤回与给予一样容易。',
        en: 'Direct marketing by automated calling systems without human intervention needs prior consent, which must be demonstrable and as easy to withdraw as to give.',
      },
      source: {
        zh: '指令 2002/58/EC 第 13 条第 1 款；GDPR 第 6 条第 1 款 (a)、第 7 条',
        en: 'Directive 2002/58/EC, article 13(1); GDPR, articles 6(1)(a) and 7',
      },
      isTradePractice: false,
      inForceFrom: '2018-05-25',
      lastChecked: CHECKED,
      policy: onlyWay(
        'consent_required',
        { purpose: 'marketing' },
        { zh: '须有「marketing」用途的同意', en: 'Consent for the purpose marketing' },
      ),
      appliedBy: BY_CONSENTS,
    },
    {
      id: 'eu/objection',
      name: { zh: '反对营销', en: 'Objection to marketing' },
      text: {
        zh: '本人反对直接营销后，不得再为此处理其数据。',
        en: 'Whoever objects to direct marketing is no longer processed for it.',
      },
      source: { zh: 'GDPR 第 21 条第 2、3 款', en: 'GDPR, article 21(2) and (3)' },
      isTradePractice: false,
      inForceFrom: '2018-05-25',
      lastChecked: CHECKED,
      policy: null,
      appliedBy: BY_DO_NOT_CALL,
    },
  ],
};
