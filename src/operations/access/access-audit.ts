import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { AuditStore } from '#ports/audit-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import { type AuditEntry, auditRow } from './audit.ts';
import type { Caller } from './caller.ts';

/** What is kept of somebody who looks: the target is named, so that looking again is known as that. */
export type AccessEntry = Omit<AuditEntry, 'targetId' | 'detail'> & { targetId: number | string; detail?: JsonObject };

/**
 * Rows of what people look at and of who failed to come in: nothing has changed by it.
 *
 * Why:    a row that could not be written is logged at error level, and takes nothing away from who asked
 * Source: D3.7
 */
export interface AccessAudit {
  /** Resolves when the row is written or could not be; again within minutes by the same caller of the same target: nothing more. */
  read(caller: Caller, entry: AccessEntry): Promise<void>;
  /** As `read`, each time. */
  note(caller: Caller, entry: AuditEntry): Promise<void>;
  /** From now until the returned function is called, which adds what is known then; a process that dies leaves the end open. */
  watch(caller: Caller, entry: AccessEntry): (known?: JsonObject) => void;
  /** Resolves when all ends that were recorded are written. */
  settle(): Promise<void>;
}

export interface AccessAuditDeps {
  accessAudit: AccessAudit;
}

export function createAccessAudit(deps: { audit: AuditStore; clock: Clock; log: Log }): AccessAudit {
  const { audit, log } = deps;
  const underWay = new Set<Promise<void>>();
  const recent = recentKeys(deps.clock);
  const now = () => new Date(deps.clock.now()).toISOString();
  const untold = (action: string) => (error: unknown) => {
    log.error({ err: error, action }, 'what somebody looked at is missing from the audit log');
    return null;
  };
  return {
    async read(caller, entry) {
      const key = JSON.stringify([caller.userId, caller.name, entry.action, entry.targetType, entry.targetId]);
      if (recent.has(key)) return;
      const done = await audit.recordOnce(auditRow(caller, entry)).then(() => true, untold(entry.action));
      if (done) recent.add(key);
    },
    note: async (caller, entry) => void (await audit.record(auditRow(caller, entry)).catch(untold(entry.action))),
    watch(caller, entry) {
      const opening = audit
        .open(auditRow(caller, { ...entry, detail: { ...entry.detail, from: now(), to: null } }))
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

/** What this process has noted need not be asked of the database again: a list may be polled each second. */
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
