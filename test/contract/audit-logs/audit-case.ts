import type { AuditedAction } from '#audit/audit.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import type { ApiAnswer } from '#test/support/server.ts';

/** Passwords and keys in requests: none of them may appear in an audit row. */
export const SECRETS = ['audit-case-password', 'audit-case-new-password', 'audit-case-sip-password'] as const;

export interface AuditCase {
  /** Response of the real request; its preconditions are set up on the way. */
  answer: ApiAnswer;
  /** User of the request, the rig's administrator when absent; null for an internal program. */
  userId?: number | null;
  targetType: string;
  /** Null when the action concerns many targets. */
  targetId: number | string | null;
}

/** Actions that only the bus can request; `bus-edge.test.ts` and `monitoring.test.ts` check their rows. */
export const BUS_ACTIONS = ['intervention.consumed'] as const satisfies readonly AuditedAction[];
export type BusAction = (typeof BUS_ACTIONS)[number];

/** Actions of the server itself; `apply-retention.test.ts` and `import-job.test.ts` check their rows. */
export const OWN_ACTIONS = ['retention.applied', 'list.imported'] as const satisfies readonly AuditedAction[];
export type OwnAction = (typeof OWN_ACTIONS)[number];

/** Actions that leave a row although nothing has changed; `access-rows.test.ts` and `exports.test.ts` check these. */
export const ACCESS_ACTIONS = [
  'login.failed',
  'login.blocked',
  'call.watched',
  'captions.read',
  'transcript.read',
  'steps.read',
  'recording.read',
  'recording.played',
  'recording.downloaded',
  'attempt.exported',
  'contact.exported',
  'export.downloaded',
  'sip_password.read',
] as const satisfies readonly AuditedAction[];
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

export type AuditCases<Action extends AuditedAction> = Readonly<Record<Action, (rig: ConferenceRig) => Promise<AuditCase>>>;

/** Another route that leaves the same action. */
export interface FurtherCase {
  name: string;
  action: AuditedAction;
  ask(rig: ConferenceRig): Promise<AuditCase>;
}

/** Sends requests as the rig's administrator; a refused preparation fails the test with its message. */
export function administrator(rig: ConferenceRig) {
  const ask = (method: string, path: string, body?: unknown) => rig.server.api(method, path, body, rig.token);
  return {
    ask,
    // oxlint-disable-next-line typescript/no-explicit-any
    async prepare(method: string, path: string, body?: unknown): Promise<any> {
      const answer = await ask(method, path, body);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.data;
    },
  };
}
