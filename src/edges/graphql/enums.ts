import { ATTEMPT_STATUSES, EMOTION_STATUSES, HANGUP_PARTIES, SPEAKERS } from '#contract/rest/attempts.ts';
import { MONITORING_MODES } from '#contract/rest/business-config.ts';
import { CONTACT_STATUSES } from '#contract/rest/contacts.ts';
import { INTERVENTION_STATUSES, LIVE_CALL_STATUSES } from '#contract/rest/live-call-view.ts';
import { POLICY_ACTIONS, POLICY_SCOPES } from '#contract/rest/policies.ts';
import { RETRYABLE_STATUSES } from '#contract/rest/retry.ts';
import { RUNTIME_EVENT_LEVELS } from '#contract/rest/runtime-events.ts';
import { CALL_STATUSES } from '#rules/call-status.ts';
import { CAMPAIGN_STATUSES } from '#rules/campaign-status.ts';
import { POLICY_TYPES } from '#rules/policies/policy.ts';
import { SKIP_REASONS } from '#rules/skip-reason.ts';
import { ROLE_KEYS } from '#rules/permissions.ts';

/** How the program spells each value of an enum; enums that are not here are spelled as in the schema. A test compares them with the schema. */
export const ENUMS = {
  AllocationMode: spelled('single_shared', 'number_pool', 'bound_numbers'),
  AttemptStatus: spelled(...ATTEMPT_STATUSES),
  BatchSource: spelled('auto', 'manual'),
  BatchStatus: spelled('running', 'completed', 'cancelled', 'failed'),
  CallEventKind: spelled('claimed', 'dialing', 'accepted', 'answered', 'segment', 'event', 'ended', 'result'),
  CallStatus: spelled(...CALL_STATUSES),
  CallerIdHeaderMode: spelled('caller_id_only', 'p_preferred_identity', 'from_and_p_preferred_identity'),
  CampaignStatus: spelled(...CAMPAIGN_STATUSES),
  CheckLevel: spelled('ok', 'warning', 'error'),
  ContactStatus: spelled(...CONTACT_STATUSES),
  DoNotCallSource: spelled('manual', 'callback', 'import'),
  EmotionStatus: spelled(...EMOTION_STATUSES),
  HangupParty: spelled(...HANGUP_PARTIES),
  InterventionStatus: spelled(...INTERVENTION_STATUSES),
  LiveCallStatus: spelled(...LIVE_CALL_STATUSES),
  MonitoringMode: spelled(...MONITORING_MODES),
  NotDialedReason: spelled(...SKIP_REASONS),
  PolicyAction: spelled(...POLICY_ACTIONS),
  PolicyScope: spelled(...POLICY_SCOPES),
  PolicyType: spelled(...POLICY_TYPES),
  RetryableContactStatus: spelled(...RETRYABLE_STATUSES),
  RingbackSource: spelled('switch_event', 'runtime'),
  RingbackStatus: spelled('ringback', 'early_media', 'answered', 'busy', 'none', 'timeout'),
  Role: spelled(...ROLE_KEYS),
  RuntimeEventLevel: spelled(...RUNTIME_EVENT_LEVELS),
  Speaker: spelled(...SPEAKERS),
};

function spelled<const Value extends string>(...values: readonly Value[]): Record<Uppercase<Value>, Value> {
  return Object.fromEntries(values.map(value => [value.toUpperCase(), value])) as Record<Uppercase<Value>, Value>;
}
