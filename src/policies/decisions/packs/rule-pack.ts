import type { PolicyType } from '../policy-table.ts';

/** A text in both languages of the console. */
export interface BothWords {
  zh: string;
  en: string;
}

/** One way to carry out a rule; `config` null: the rule is left out. */
export interface RuleChoice {
  id: string;
  name: BothWords;
  config: Readonly<Record<string, string | number>> | null;
}

/** A rule of a pack: what it says, where it comes from, and how it is carried out. */
export interface PackRule {
  /** Unique among all packs, `us/calling-hours`; stored with the policy that carries it out. */
  id: string;
  name: BothWords;
  /** The content of the source, in short. */
  text: BothWords;
  /** Law with its article, or publication; for a trade practice, who publishes it. */
  source: BothWords;
  /** No law was found that says so. */
  isTradePractice: boolean;
  /** `YYYY-MM-DD`; null: not known. */
  inForceFrom: string | null;
  /** Date on which source and text were last compared, `YYYY-MM-DD`. */
  lastChecked: string;
  /** The policy and its configs, the default first; null: something that always applies carries the rule out. */
  policy: { type: PolicyType; choices: readonly RuleChoice[] } | null;
  /** How it is carried out. */
  appliedBy: BothWords;
}

/** Rules of one country for outbound calls, as dated data. Source: D8.11 */
export interface RulePack {
  id: string;
  name: BothWords;
  /** A note for administrators before they switch it on. */
  note: BothWords;
  rules: readonly PackRule[];
}

/** A rule that has one way only. */
export function onlyWay(type: PolicyType, config: NonNullable<RuleChoice['config']>, name: BothWords): NonNullable<PackRule['policy']> {
  return { type, choices: [{ id: 'default', name, config }] };
}

/** The do-not-call list binds every dial, with or without a pack. */
export const BY_DO_NOT_CALL: BothWords = {
  zh: '勿扰名单：对所有外呼始终有效，无需策略；外部名单导入勿扰名单即可',
  en: 'The do-not-call list, which binds every dial without a policy; import outside lists into it',
};

/** Consent for the purpose `marketing`. */
export const MARKETING_CONSENT: RuleChoice = {
  id: 'marketing',
  name: { zh: '须有「marketing」用途的同意', en: 'Consent for the purpose marketing' },
  config: { purpose: 'marketing' },
};

/** Consent to calls that sell something; others are not checked. */
export const CONSENT_TO_SELL: NonNullable<PackRule['policy']> = {
  type: 'consent_required',
  choices: [
    MARKETING_CONSENT,
    { id: 'off', name: { zh: '不检查（不属于营销）', en: 'Not checked (calls that sell nothing)' }, config: null },
  ],
};

export const BY_CONSENTS: BothWords = { zh: '同意台账', en: 'The ledger of consents' };

export const BY_ABANDONMENT_LIMIT: BothWords = {
  zh: '弃呼率上限：超过时活动停止外呼，至少按 100 通真人接听计算',
  en: 'An abandonment limit: a campaign above it waits. It is measured on at least 100 answered calls',
};

export const BY_LOCAL_WINDOW: BothWords = { zh: '每日时段，按被叫时区', en: 'A daily window in the time zone of the called person' };
