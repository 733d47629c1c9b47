import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { bigRowId, rowId, stamps } from '#kernel/fields.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';

/** An audited action: actor, action and target. Source: D3.7 */
export const auditRow = z
  .object({
    id: bigRowId,
    actorId: rowId.nullable(),
    actorName: z.string(),
    action: z.string().meta({ description: '名词.过去分词，例如 line.updated' }),
    targetType: z.string(),
    targetId: z.string().nullable(),
    summary: z.string(),
    detail: z.json().meta({ description: '按动作而定；修改类动作为 before 与 after：只含改变的字段，密码以 *** 代替' }),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    ...stamps,
  })
  .meta({ id: 'AuditLog' });

export type AuditRow = z.output<typeof auditRow>;

/**
 * Every action that writes an audit row: noun first, then a past participle.
 *
 * Why:    a closed list lets a test cover each action; add a new action here first
 * Source: D3.7
 */
export const AUDITED_ACTIONS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password_changed',
  'user.logged_in',
  'user.logged_out',
  'login.failed',
  'login.blocked',
  'line.created',
  'line.updated',
  'line.deleted',
  'line.number_rested',
  'line.priced',
  'line.price_removed',
  'line.number_resumed',
  'campaign.created',
  'campaign.updated',
  'campaign.deleted',
  'campaign.started',
  'campaign.paused',
  'campaign.archived',
  'campaign.dispatched',
  'campaign.tested',
  'batch.cancelled',
  'contact.added',
  'contact.imported',
  'contact.updated',
  'contact.paused',
  'contact.deleted',
  'contact.retried',
  'dial.requested',
  'callback.promised',
  'callback.cancelled',
  'contact.exported',
  'person.erased',
  'attempt.deleted',
  'attempt.exported',
  'attempt.corrected',
  'follow_up.created',
  'follow_up.updated',
  'follow_up.deleted',
  'follow_up.fed',
  'report.created',
  'report.updated',
  'report.deleted',
  'report_schedule.created',
  'report_schedule.updated',
  'report_schedule.deleted',
  'report_schedule.triggered',
  'policy.created',
  'policy.updated',
  'policy.deleted',
  'outcome_rules.changed',
  'disposition_settings.changed',
  'do_not_call.added',
  'do_not_call.updated',
  'do_not_call.removed',
  'consent.recorded',
  'consent.imported',
  'consent.exported',
  'rule_pack.enabled',
  'rule_pack.disabled',
  'business.created',
  'business.updated',
  'pre_dial_hook.changed',
  'pre_dial_hook.removed',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.replayed',
  'script.created',
  'script.updated',
  'script.activated',
  'script.deactivated',
  'script.deleted',
  'agent_group.created',
  'agent_group.updated',
  'agent_group.deleted',
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'agent.status_changed',
  'agent.message_sent',
  'agent.wrap_up_extended',
  'agent.wrap_up_ended',
  'break_reasons.changed',
  'agent.call_placed',
  'call.hung_up',
  'call.hinted',
  'call.text_spoken',
  'call.handed_back',
  'call.listened',
  'call.barged',
  'call.controlled',
  'call.disposed',
  'call.watched',
  'captions.read',
  'transcript.read',
  'steps.read',
  'recording.read',
  'recording.played',
  'recording.downloaded',
  'sip_password.read',
  'transfer.routed',
  'transfer.ended',
  'intervention.consumed',
  'call.released',
  'intervention.claimed',
  'intervention.cancelled',
  'conference.participant_added',
  'conference.participant_removed',
  'softphone_session.created',
  'softphone_session.noted',
  'softphone_session.text_spoken',
  'softphone_session.held',
  'softphone_session.resumed',
  'softphone_session.digits_sent',
  'softphone_session.transferred',
  'softphone_session.ended',
  'retention.applied',
  'job.cancelled',
  'export.started',
  'export.linked',
  'export.downloaded',
  'list.created',
  'list.updated',
  'list.deleted',
  'list.imported',
  'list.used',
  'import.started',
] as const;

export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

/** Old and new values of exactly the fields that an edit changed. */
interface AuditedChange {
  before: JsonObject;
  after: JsonObject;
}

/** Most characters of one value's JSON; a longer value is cut and kept as text. */
const MAX_VALUE_LENGTH = 2_000;
/** Fields that every row has and no user edits. */
const STAMPS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** Returns null when the edit changed nothing. Source: D3.7 */
export function changeOf(before: object, after: object): AuditedChange | null {
  const old = new Map(Object.entries(before));
  const change: AuditedChange = { before: {}, after: {} };
  for (const [name, value] of Object.entries(after)) {
    if (STAMPS.has(name) || JSON.stringify(value) === JSON.stringify(old.get(name))) continue;
    change.before[name] = bounded(old.get(name));
    change.after[name] = bounded(value);
  }
  return Object.keys(change.after).length === 0 ? null : change;
}

/** Placeholder of a secret in an audit row: shows that the secret changed, not its value. */
export function masked(isSet: boolean, isRenewed = false): string | null {
  if (!isSet) return null;
  return isRenewed ? '*** (new)' : '***';
}

function bounded(value: unknown): JsonValue {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : JSON.parse(text);
}

/**
 * The audit log; rows are only added, except that `close` completes the row of a lasting action. Retention and the erasure of a person are
 * handled elsewhere.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export interface AuditStore {
  record(row: NewAuditRow): Promise<void>;
  /** Like `record`, unless the actor has a row of the same action and named target that is younger than five minutes. */
  recordOnce(row: NewAuditRow): Promise<void>;
  /** Like `record`, for an action that has just begun; returns the row's id. */
  open(row: NewAuditRow): Promise<number>;
  /** Merges members into the row's detail. */
  close(rowId: number, detail: JsonObject): Promise<void>;
}

export type NewAuditRow = Omit<AuditRow, 'id' | 'createdAt' | 'updatedAt'>;

export interface AuditPart {
  audit: Pick<AuditStore, 'record'>;
}

export interface AuditEntry {
  action: AuditedAction;
  targetType: string;
  targetId: number | string | null;
  /** One line in Chinese. */
  summary: string;
  /** The change, without secrets. */
  detail?: JsonValue;
}

/** Builds the row with its actor, for code that writes it in its own transaction. */
export function newAuditRow(caller: Caller, entry: AuditEntry): NewAuditRow {
  return {
    actorId: caller.userId,
    actorName: caller.name,
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId === null ? null : String(entry.targetId),
    summary: entry.summary,
    detail: entry.detail ?? null,
    ip: caller.ip,
    requestId: caller.traceId,
  };
}

/**
 * Writes the audit row of a completed change.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export async function audit(app: AuditPart, caller: Caller, entry: AuditEntry): Promise<void> {
  await app.audit.record(newAuditRow(caller, entry));
}

/**
 * Writes the audit row of an edit with its old and new values; an edit that changed nothing (null) writes no row.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export async function auditChange(
  app: AuditPart,
  caller: Caller,
  { detail, ...entry }: Omit<AuditEntry, 'detail'> & { detail?: JsonObject },
  change: AuditedChange | null,
): Promise<void> {
  if (change !== null) await audit(app, caller, { ...entry, detail: { ...detail, ...change } });
}
