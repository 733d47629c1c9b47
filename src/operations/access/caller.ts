import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permission } from '#rules/permissions.ts';
import type { Role } from '#model/user.ts';

/** Who asks, as every operation sees it, whatever the edge. */
export interface Caller {
  /** Null for the internal token, the system itself and the built-in admin of a server without authentication. */
  userId: number | null;
  /** For audit rows: user name, `internal` or `system`. */
  name: string;
  /** What pages show; empty where there is no person. */
  displayName: string;
  role: Role | 'internal' | 'system' | 'anonymous';
  permissions: ReadonlySet<Permission>;
  ip: string | null;
  /** Trace id of the request, in logs, audit rows and `X-Request-Id`; a client may choose it, so it decides nothing. */
  traceId: string;
  /** Hash of the session's token; null without one. The key of what must end with the session. */
  sessionId: string | null;
}

export interface CallerOrigin {
  ip: string | null;
  traceId: string;
}

/** Nobody in particular: public routes. */
export function anonymousCaller(origin: CallerOrigin): Caller {
  return { ...origin, userId: null, name: 'anonymous', displayName: '', role: 'anonymous', permissions: NO_PERMISSIONS, sessionId: null };
}

/** The call-flow runtime and other holders of the internal token (D3.6). */
export function internalCaller(origin: CallerOrigin): Caller {
  return { ...origin, userId: null, name: 'internal', displayName: '', role: 'internal', permissions: NO_PERMISSIONS, sessionId: null };
}

/** The server acting by itself: schedules, pumps, seeding. */
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

/** Everybody, when authentication is off (D3.4). */
export function builtInAdmin(origin: CallerOrigin): Caller {
  const { name, displayName } = BUILT_IN;
  return { ...origin, userId: null, name, displayName, role: 'admin', permissions: ALL_PERMISSIONS, sessionId: null };
}
