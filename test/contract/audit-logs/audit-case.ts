import type { AuditedAction } from '#rules/audited-actions.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import type { ApiAnswer } from '#test/support/server.ts';

/** Passwords and keys that requests carry: none of them may stand in an audit row. */
export const SECRETS = ['audit-case-password', 'audit-case-new-password', 'audit-case-sip-password'] as const;

export interface AuditCase {
  /** The real request; what it needs beforehand is made on the way. */
  answer: ApiAnswer;
  /** Who asked, the rig's administrator when absent; null for a program of ours. */
  userId?: number | null;
  targetType: string;
  /** Null when it concerns many. */
  targetId: number | string | null;
}

/** What only the bus may ask; `bus-edge.test.ts` and `monitoring.test.ts` look at its rows. */
export const BUS_ACTIONS = ['intervention.consumed'] as const satisfies readonly AuditedAction[];
export type BusAction = (typeof BUS_ACTIONS)[number];

/** What the server does by itself; `apply-retention.test.ts` looks at its rows. */
export const OWN_ACTIONS = ['retention.applied'] as const satisfies readonly AuditedAction[];
export type OwnAction = (typeof OWN_ACTIONS)[number];

/** What leaves a row though nothing has changed; `access-rows.test.ts` and `exports.test.ts` look at these. */
export const ACCESS_ACTIONS = [
  'login.failed',
  'login.blocked',
  'call.watched',
  'captions.read',
  'transcript.read',
  'recording.read',
  'recording.played',
  'attempt.exported',
  'contact.exported',
  'sip_password.read',
] as const satisfies readonly AuditedAction[];
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

export type AuditCases<Action extends AuditedAction> = Readonly<Record<Action, (rig: ConferenceRig) => Promise<AuditCase>>>;

/** Another row that leaves the same action. */
export interface FurtherCase {
  name: string;
  action: AuditedAction;
  ask(rig: ConferenceRig): Promise<AuditCase>;
}

/** As the rig's administrator; a preparation that is refused fails the test by its text. */
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
