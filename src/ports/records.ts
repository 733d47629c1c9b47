import type { JsonValue } from '#kernel/json.ts';

export type { CallStatus } from '#rules/call-status.ts';

/**
 * Rows as the program holds them. Instants are UTC ms; edges present ISO 8601 and 0/1 integers (D2.5).
 *
 * Source: OCS §2, D4–D9, D14; migrations/
 */
export interface Stamped {
  createdAt: number;
  updatedAt: number;
}

/** The one primary monitor of a live call. Source: D9.2 */
export interface CallMonitor {
  userId: number;
  agentId: number | null;
  displayName: string;
  assignedAt: number;
}

/** Where the monitor registry has put a call. Source: D9.2, OCS 4.12 rules 1 and 3 */
export interface CallWatch {
  /** Grows with each change in the registry: an older word is no news. */
  fence: number;
  monitor: CallMonitor | null;
  /** Users who may go on reading it. */
  retainedBy: readonly number[];
  waitingSince: number | null;
}

/** A keyword of the campaign in what the customer said. Source: OCS 4.12 rule 2 */
export interface IntentHit {
  keyword: string;
  segmentId: string;
  at: number;
}

export type RuntimeEventLevel = 'info' | 'warning' | 'error';

/** D14.3 names the types. */
export interface RuntimeEvent extends Stamped {
  id: number;
  level: RuntimeEventLevel;
  type: string;
  title: string;
  message: string;
  campaignId: number | null;
  attemptId: number | null;
  cellId: string | null;
  detail: JsonValue;
  acknowledgedAt: number | null;
  acknowledgedBy: number | null;
}

/** Who an agent is; what it does at this moment is `AgentDesk` (ports/agent-desk.ts). */
export interface Agent extends Stamped {
  id: number;
  name: string;
  /** Empty: no phone is configured. */
  phoneExtension: string;
  groupId: number | null;
  userId: number | null;
  cellId: string | null;
  isEnabled: boolean;
  /** Empty: the extension itself. */
  authUsername: string;
  /** Whether a password for the browser phone is stored. */
  hasPassword: boolean;
}

export interface AgentGroup extends Stamped {
  id: number;
  name: string;
  description: string;
}

/** One page of a list: `total` counts every match (OCS 2.2). */
export interface Page<Row> {
  rows: Row[];
  page: number;
  pageSize: number;
  total: number;
}

export interface PageRequest {
  /** ≥ 1. */
  page: number;
  /** 1..200. */
  pageSize: number;
}
