import { DISPOSITION_CATEGORIES } from '#attempts/decisions/call-disposition.ts';
import { AGENT_ACTIVITIES, AGENT_STATUSES, REGISTRATION_STATUSES, WRAP_UP_STEPS } from '#agents/agent.ts';
import { ATTEMPT_STATUSES, EMOTION_STATUSES, RECORDING_STATES, ringbackDetection, TRANSCRIPT_SOURCES } from '#attempts/attempt.ts';
import { RESULT_OPERATORS } from '#attempts/decisions/result-condition.ts';
import { BASES, OUTCOMES } from '#attempts/decisions/evidence.ts';
import { MONITORING_MODES } from '#campaigns/campaign.ts';
import { CONFERENCE_KINDS, CONFERENCE_STATUSES, PARTICIPANT_MODES } from '#conferences/conference.ts';
import { CUSTOMER_STATES, LEG_MODES, LEG_ROLES, LEG_STATUSES } from '#legs/leg.ts';
import { BATCH_SOURCES, BATCH_STATUSES } from '#attempts/batch.ts';
import { DIAL_ANSWERS, DIAL_STATES } from '#dials/dial.ts';
import { CALLBACK_END_REASONS, CALLBACK_SOURCES, CALLBACK_STATUSES } from '#callbacks/callback.ts';
import { CALLBACK_FATES } from '#campaigns/decisions/callback-rules.ts';
import { CONTACT_STATUSES, LEFT_OUT_REASONS, ZONE_SOURCES } from '#contacts/contact.ts';
import { CONSENT_KINDS, CONSENT_ORIGINS } from '#consent/consent.ts';
import { NUMBER_VERDICTS } from '#contacts/decisions/numbers.ts';
import { DO_NOT_CALL_SCOPES, DO_NOT_CALL_SOURCES } from '#do-not-call/do-not-call.ts';
import { ALLOCATION_MODES, CALLER_ID_HEADER_MODES, NUMBER_FORMATS } from '#lines/line.ts';
import { FEW_ANSWERS_ACTIONS } from '#lines/decisions/number-rules.ts';
import { INTERVENTION_STATUSES, LIVE_CALL_STATUSES, MONITOR_VIEW_MODES } from '#calls/live-call.ts';
import { POLICY_ACTIONS, POLICY_SCOPES } from '#policies/decisions/policy-kind.ts';
import { RUNTIME_EVENT_LEVELS } from '#runtime-events/runtime-event.ts';
import { IMPORT_MEMBERS } from '#imports/preview.ts';
import { CALL_EVENT_KINDS } from '#attempts/timelines.ts';
import { STEP_ACTORS } from '#calls/call-steps.ts';
import { MOMENT_KINDS } from '#campaigns/history.ts';
import { CAMPAIGN_ACTIONS } from '#campaigns/actions.ts';
import { HEALTH_LEVELS, HEALTH_PARTS, HEALTH_STATES } from '#health/health.ts';
import { GUIDANCE_KINDS } from '#actors/call/guidance.ts';
import { CALL_CONTROLS } from '#interventions/control-call.ts';
import { STAFFING_GAPS } from '#agent-board/agent-board.ts';
import { FATES, HANDLERS } from '#call-stats/decisions/columns.ts';
import { DIMENSIONS } from '#call-stats/decisions/dimensions.ts';
import { MEASURE_NAMES, MEASURE_UNITS } from '#call-stats/decisions/measures.ts';
import { LISTEN_MODES } from '#interventions/listen.ts';
import { LIVE_CALL_ACTIONS } from '#interventions/live-call-actions.ts';
import { CALL_STATUSES, HANGUP_PARTIES, SPEAKERS } from '#protocol/call-status.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { PHASE_CAUSES, SKIP_DETAILS, SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import { POLICY_TYPES } from '#policies/decisions/policy-table.ts';
import { CELL_STATES, GATEWAY_STATES } from '#platform/freeswitch/switch.ts';
import { ROLE_KEYS } from '#kernel/caller.ts';
import { SOFTPHONE_DIRECTIONS, SOFTPHONE_LEG_ROLES, SOFTPHONE_LEG_STATUSES, SOFTPHONE_STATUSES } from '#agent-calls/agent-call.ts';
import { CHECK_LEVELS } from '#dialling/decisions/preflight-checks.ts';
import { DUPLICATE_SCOPES, IMPORT_STAGES } from '#imports/file-import.ts';
import { EXPORT_FORMATS, EXPORT_KINDS, EXPORT_LANGUAGES } from '#exports/export.ts';
import { RUN_FAILURES, RUN_STATES, SPANS } from '#schedules/schedule.ts';
import { CELL_TYPES } from '#platform/files/tables/table-format.ts';
import { JOB_STATES } from '#jobs/job.ts';
import { LIST_KINDS } from '#lists/contact-list.ts';
import { RUNTIME_MODES } from '#runtimes/survey-runtimes.ts';
import { SOFTPHONE_EVENT_KINDS } from '#softphones/session.ts';
import { RULE_NUMBERS, STEP_KINDS } from '#outcomes/decisions/outcome-rules.ts';
import { PARTS_OF_DAY } from '#outcomes/decisions/parts-of-day.ts';
import { RULE_ORIGINS } from '#outcomes/decisions/rule-versions.ts';
import { TEMPLATE_KEYS } from '#outcomes/decisions/rule-templates.ts';
import { RESULT_SOURCES } from '#results/decisions/describe-fields.ts';
import { FAILURE_CHOICES } from '#pre-dial/pre-dial.ts';
import { ALERT_LEVELS, DELIVERY_STATES, ENDPOINT_KINDS, ENDPOINT_STATUSES } from '#webhooks/webhook.ts';
import { WINNERS } from '#rule-packs/rule-pack.ts';
import { RETRYABLE_STATUSES } from '#outcomes/decisions/contact-outcome.ts';
import { NODE_FIELD_KINDS } from '#protocol/script-nodes.ts';
import { TRIAL_ENDS, TRIAL_EVENT_KINDS } from '#scripts/decisions/trial.ts';
import { INTERVENTION_TIMINGS } from '#protocol/interventions.ts';

/**
 * Internal spelling of each enum's values; an enum that is not listed is spelled as in the schema. A test compares them with the schema.
 */
export const ENUMS = {
  AgentState: spelled(...AGENT_ACTIVITIES),
  AgentStatus: spelled(...AGENT_STATUSES),
  AllocationMode: spelled(...ALLOCATION_MODES),
  AttemptStatus: spelled(...ATTEMPT_STATUSES),
  BatchSource: spelled(...BATCH_SOURCES),
  BatchStatus: spelled(...BATCH_STATUSES),
  CallbackEndReason: spelled(...CALLBACK_END_REASONS),
  CallbackFate: spelled(...CALLBACK_FATES),
  CallbackSource: spelled(...CALLBACK_SOURCES),
  CallbackStatus: spelled(...CALLBACK_STATUSES),
  CallDimension: spelled(...DIMENSIONS),
  CallEventKind: spelled(...CALL_EVENT_KINDS),
  StepActor: spelled(...STEP_ACTORS),
  CallFate: spelled(...FATES),
  CallHandler: spelled(...HANDLERS),
  CallMeasure: spelled(...MEASURE_NAMES),
  CallMeasureUnit: spelled(...MEASURE_UNITS),
  CallStatus: spelled(...CALL_STATUSES),
  CallerIdHeaderMode: spelled(...CALLER_ID_HEADER_MODES),
  NumberFormat: spelled(...NUMBER_FORMATS),
  NumberVerdict: spelled(...NUMBER_VERDICTS),
  CampaignActionName: spelled(...CAMPAIGN_ACTIONS),
  CampaignMomentKind: spelled(...MOMENT_KINDS),
  CampaignStatus: spelled(...CAMPAIGN_STATUSES),
  Carrier: spelled('mobile', 'unicom', 'telecom', 'broadnet'),
  CellState: spelled(...CELL_STATES),
  CheckLevel: spelled(...CHECK_LEVELS),
  DialAnswerStatus: spelled(...DIAL_ANSWERS),
  DialState: spelled(...DIAL_STATES),
  ConferenceKind: spelled(...CONFERENCE_KINDS),
  ConferenceLegMode: spelled(...LEG_MODES),
  ConferenceLegRole: spelled(...LEG_ROLES),
  ConferenceLegStatus: spelled(...LEG_STATUSES),
  ConferenceStatus: spelled(...CONFERENCE_STATUSES),
  ConsentKind: spelled(...CONSENT_KINDS),
  ConsentOrigin: spelled(...CONSENT_ORIGINS),
  ContactListKind: spelled(...LIST_KINDS),
  ContactStatus: spelled(...CONTACT_STATUSES),
  CustomerState: spelled(...CUSTOMER_STATES),
  DispositionCategory: spelled(...DISPOSITION_CATEGORIES),
  DoNotCallScope: spelled(...DO_NOT_CALL_SCOPES),
  DoNotCallSource: spelled(...DO_NOT_CALL_SOURCES),
  DuplicateScope: spelled(...DUPLICATE_SCOPES),
  Outcome: spelled(...OUTCOMES),
  EvidenceBasis: spelled(...BASES),
  OutcomeRuleOrigin: spelled(...RULE_ORIGINS),
  OutcomeRuleTemplateKey: spelled(...TEMPLATE_KEYS),
  OutcomeStepKind: spelled(...STEP_KINDS),
  PartOfDay: spelled(...PARTS_OF_DAY),
  RuleNumber: spelled(...RULE_NUMBERS),
  FewAnswersAction: spelled(...FEW_ANSWERS_ACTIONS),
  EmotionStatus: spelled(...EMOTION_STATUSES),
  HangupParty: spelled(...HANGUP_PARTIES),
  GatewayState: spelled(...GATEWAY_STATES),
  ImportMember: spelled(...IMPORT_MEMBERS),
  ImportStage: spelled(...IMPORT_STAGES),
  FollowUpKind: spelled('calls', 'contacts'),
  HealthLevel: spelled(...HEALTH_LEVELS),
  HealthPart: spelled(...HEALTH_PARTS),
  HealthState: spelled(...HEALTH_STATES),
  LeftOutReason: spelled(...LEFT_OUT_REASONS),
  JobState: spelled(...JOB_STATES),
  ExportKind: spelled(...EXPORT_KINDS),
  ExportFormat: spelled(...EXPORT_FORMATS),
  ExportLanguage: spelled(...EXPORT_LANGUAGES),
  ExportCellType: spelled(...CELL_TYPES),
  InterventionStatus: spelled(...INTERVENTION_STATUSES),
  InterventionTiming: spelled(...INTERVENTION_TIMINGS),
  LandlineRule: spelled('allow', 'reject'),
  GuidanceKind: spelled(...GUIDANCE_KINDS),
  ListenMode: spelled(...LISTEN_MODES),
  CallControl: spelled(...CALL_CONTROLS),
  LiveCallActionName: spelled(...LIVE_CALL_ACTIONS),
  LiveCallStatus: spelled(...LIVE_CALL_STATUSES),
  MonitorViewMode: spelled(...MONITOR_VIEW_MODES),
  MonitoringMode: spelled(...MONITORING_MODES),
  NotDialedDetail: spelled(...SKIP_DETAILS),
  NotDialedReason: spelled(...SKIP_REASONS),
  OrderDirection: spelled('asc', 'desc'),
  OrderField: { CREATED_AT: 'createdAt', UPDATED_AT: 'updatedAt', NAME: 'name', DUE_AT: 'dueAt' } as const,
  PackWinner: spelled(...WINNERS),
  ParticipantMode: spelled(...PARTICIPANT_MODES, 'whisper'),
  PhaseCause: spelled(...PHASE_CAUSES),
  PolicyAction: spelled(...POLICY_ACTIONS),
  PolicyScope: spelled(...POLICY_SCOPES),
  PolicyType: spelled(...POLICY_TYPES),
  RecordingState: spelled(...RECORDING_STATES),
  RegistrationStatus: spelled(...REGISTRATION_STATUSES),
  ReportScheduleFailure: spelled(...RUN_FAILURES),
  ReportScheduleRunState: spelled(...RUN_STATES),
  ReportSpan: spelled(...SPANS),
  ResultOperator: spelled(...RESULT_OPERATORS),
  ResultSource: spelled(...RESULT_SOURCES),
  PreDialFailure: spelled(...FAILURE_CHOICES),
  RetryableContactStatus: spelled(...RETRYABLE_STATUSES),
  RingbackSource: spelled(...ringbackDetection.shape.detectionSource.options),
  RingbackStatus: spelled(...ringbackDetection.shape.status.options),
  Role: spelled(...ROLE_KEYS),
  RuntimeEventLevel: spelled(...RUNTIME_EVENT_LEVELS),
  RuntimeMode: spelled(...RUNTIME_MODES),
  SoftphoneDirection: spelled(...SOFTPHONE_DIRECTIONS),
  SoftphoneEventKind: spelled(...SOFTPHONE_EVENT_KINDS),
  SoftphoneLegRole: spelled(...SOFTPHONE_LEG_ROLES),
  SoftphoneLegStatus: spelled(...SOFTPHONE_LEG_STATUSES),
  SoftphoneStatus: spelled(...SOFTPHONE_STATUSES),
  Speaker: spelled(...SPEAKERS),
  ScriptBranchKind: spelled('none', 'default', 'silence', 'nlu'),
  ScriptFieldKind: spelled(...NODE_FIELD_KINDS),
  ScriptTrialEnd: spelled(...TRIAL_ENDS),
  ScriptTrialEventKind: spelled(...TRIAL_EVENT_KINDS),
  StaffingGap: spelled(...STAFFING_GAPS),
  TranscriptSource: spelled(...TRANSCRIPT_SOURCES),
  WebhookDeliveryState: spelled(...DELIVERY_STATES),
  WebhookKind: spelled(...ENDPOINT_KINDS),
  WebhookLevel: spelled(...ALERT_LEVELS),
  WebhookStatus: spelled(...ENDPOINT_STATUSES),
  WrapUpStep: spelled(...WRAP_UP_STEPS),
  ZoneSource: spelled(...ZONE_SOURCES),
};

function spelled<const Value extends string>(...values: readonly Value[]): Record<Uppercase<Value>, Value> {
  return Object.fromEntries(values.map(value => [value.toUpperCase(), value])) as Record<Uppercase<Value>, Value>;
}

/** A value of the enum in the program's spelling; the generated types refer to this name. */
export type Spelled<Name extends keyof typeof ENUMS> = (typeof ENUMS)[Name][keyof (typeof ENUMS)[Name]];
