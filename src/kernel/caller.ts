import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permission } from './permissions.ts';
import type { Role } from './permissions.ts';

/** The requester as every operation sees it, whatever the edge. */
export interface Caller {
  /** Null for the internal token, the system itself and the built-in admin of a server without authentication. */
  userId: number | null;
  /** Actor name in audit rows: the username, `internal` or `system`. */
  name: string;
  /** Name that pages show; empty when the caller is not a user. */
  displayName: string;
  role: Role | 'internal' | 'system' | 'anonymous';
  permissions: ReadonlySet<Permission>;
  ip: string | null;
  /** Trace id of the request in logs, audit rows and `X-Request-Id`; a client may choose it, so no decision depends on it. */
  traceId: string;
  /** Hash of the session token; null without a session. Resources that end with the session are registered under it. */
  sessionId: string | null;
}

export interface CallerOrigin {
  ip: string | null;
  traceId: string;
}

/** Caller of public routes, without an identity. */
export function anonymousCaller(origin: CallerOrigin): Caller {
  return { ...origin, userId: null, name: 'anonymous', displayName: '', role: 'anonymous', permissions: NO_PERMISSIONS, sessionId: null };
}

/** Caller for the call-flow runtime and other holders of the internal token (D3.6). */
export function internalCaller(origin: CallerOrigin): Caller {
  return { ...origin, userId: null, name: 'internal', displayName: '', role: 'internal', permissions: NO_PERMISSIONS, sessionId: null };
}

/** Caller for work that the server starts itself: schedules, pumps, seeding. */
export function systemCaller(traceId: string): Caller {
  return {
    userId: null,
    name: 'system',
    displayName: '',
    role: 'system',
    permissions: ALL_PERMISSIONS,
    ip: null,
    traceId,
    sessionId: null,
  };
}

const BUILT_IN = { name: 'admin', displayName: '管理员' };

/** Caller of every request while authentication is off (D3.4). */
export function builtInAdmin(origin: CallerOrigin): Caller {
  const { name, displayName } = BUILT_IN;
  return { ...origin, userId: null, name, displayName, role: 'admin', permissions: ALL_PERMISSIONS, sessionId: null };
}
