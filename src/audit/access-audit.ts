import type { Caller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Log } from '#kernel/log.ts';
import { type AuditEntry, type AuditStore, newAuditRow } from './audit.ts';

/** Audit entry of an access; the target is required, so that a repeated access can be recognised. */
export type AccessEntry = Omit<AuditEntry, 'targetId' | 'detail'> & { targetId: number | string; detail?: JsonObject };

/**
 * Audits accesses and failed logins, which change nothing.
 *
 * Why:    a failed write is logged at error level and does not fail the request
 * Source: D3.7
 */
export interface AccessAudit {
  /** Records an access, once per caller and target within minutes. Resolves when the row is written or has failed. */
  read(caller: Caller, entry: AccessEntry): Promise<void>;
  /** Like `read`, but records every call. */
  note(caller: Caller, entry: AuditEntry): Promise<void>;
  /** Opens a row for a lasting access; the returned function closes it and adds `known`. If the process dies, its end stays null. */
  watch(caller: Caller, entry: AccessEntry): (known?: JsonObject) => void;
  /** Resolves once the ends recorded so far are written. */
  settle(): Promise<void>;
}

export interface AccessAuditPart {
  accessAudit: AccessAudit;
}

export function createAccessAudit(app: { audit: AuditStore; clock: Clock; log: Log }): AccessAudit {
  const { audit, log } = app;
  const underWay = new Set<Promise<void>>();
  const recent = recentKeys(app.clock);
  const now = () => new Date(app.clock.now()).toISOString();
  const untold = (action: string) => (error: unknown) => {
    log.error({ err: error, action }, 'an access could not be written to the audit log');
    return null;
  };
  return {
    async read(caller, entry) {
      const key = JSON.stringify([caller.userId, caller.name, entry.action, entry.targetType, entry.targetId]);
      if (recent.has(key)) return;
      const done = await audit.recordOnce(newAuditRow(caller, entry)).then(() => true, untold(entry.action));
      if (done) recent.add(key);
    },
    note: async (caller, entry) => void (await audit.record(newAuditRow(caller, entry)).catch(untold(entry.action))),
    watch(caller, entry) {
      const opening = audit
        .open(newAuditRow(caller, { ...entry, detail: { ...entry.detail, from: now(), to: null } }))
        .catch(untold(entry.action));
      let isOver = false;
      return known => {
        if (isOver) return;
        isOver = true;
        const to = now();
        const close = opening.then(id => (id === null ? null : audit.close(id, { ...known, to }).catch(untold(entry.action))));
        const work: Promise<void> = close.then(() => void underWay.delete(work));
        underWay.add(work);
      };
    },
    settle: async () => void (await Promise.all(underWay)),
  };
}

/** Accesses that this process recorded this recently are not looked up in the database: a list may be polled every second. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

function recentKeys(clock: Clock) {
  const until = new Map<string, number>();
  return {
    has: (key: string) => (until.get(key) ?? 0) > clock.monotonic(),
    add(key: string) {
      until.delete(key);
      until.set(key, clock.monotonic() + REMEMBERED_MS);
      const [oldest] = until.keys();
      if (until.size > MAX_REMEMBERED && oldest !== undefined) until.delete(oldest);
    },
  };
}

/** A call whose transcript or recording a user reads. */
export interface ReadCall {
  targetType: 'attempt' | 'softphone_call' | 'conference';
  targetId: number;
}

/** Audits that the caller read the transcript of a call. Source: D3.7 */
export function auditTranscriptRead({ accessAudit }: AccessAuditPart, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'transcript.read', ...call, summary: '查看通话转写' });
}

/** Audits that the caller listened to the recording of a call. Source: D3.7 */
export function auditRecordingPlayed({ accessAudit }: AccessAuditPart, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.played', ...call, summary: '收听通话录音' });
}

/** Audits that the caller took away the recording of a call as a file. Source: D3.7, D7.21 */
export function auditRecordingDownloaded({ accessAudit }: AccessAuditPart, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.downloaded', ...call, summary: '下载通话录音' });
}

/** Audits that the caller read the file name under which the recording of a call is fetched. Source: D3.7, OCS 4.16 */
export function auditRecordingRead({ accessAudit }: AccessAuditPart, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.read', ...call, summary: '查看通话录音' });
}

/** Audits that the caller read a call step by step, which tells what was whispered to the bot. Source: D3.7, D14.9 */
export function auditStepsRead({ accessAudit }: AccessAuditPart, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'steps.read', ...call, summary: '查看通话的每一步' });
}
