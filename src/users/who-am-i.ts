import { type Caller, type Permission, PERMISSION_KEYS, permissionsOf, type Role } from '#kernel/caller.ts';
import { findSession, type Session, type SessionDeps } from '#access/sessions.ts';

/** A user as shown to their own session. */
export interface SessionUser {
  /** 0 for the built-in admin of a server without authentication (D3.4). */
  id: number;
  username: string;
  displayName: string;
  role: Role;
}

export interface Me {
  authEnabled: boolean;
  authenticated: boolean;
  user: SessionUser | null;
  permissions: Permission[];
}

export const BUILT_IN_ADMIN: SessionUser = { id: 0, username: 'admin', displayName: '管理员', role: 'admin' };

/**
 * Describes the requester; a request without a session is a valid result, not an error.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.4
 */
export async function whoAmI(deps: SessionDeps, token: string | null): Promise<Me> {
  if (!deps.authEnabled) return { authEnabled: false, authenticated: true, user: BUILT_IN_ADMIN, permissions: [...PERMISSION_KEYS] };
  const session = await findSession(deps, token);
  if (!session) return { authEnabled: true, authenticated: false, user: null, permissions: [] };
  return { authEnabled: true, authenticated: true, user: sessionUser(session), permissions: [...permissionsOf(session.role)] };
}

/**
 * Like `whoAmI`, for a caller whose session this request has already looked up.
 *
 * Shape: `user` null without a session; callers are only users and the built-in admin where this is used
 */
export function meOf(caller: Caller | null, authEnabled: boolean): Me {
  if (!caller || caller.role === 'anonymous' || caller.role === 'internal' || caller.role === 'system') {
    return { authEnabled, authenticated: false, user: null, permissions: [] };
  }
  const { userId, name, displayName, role, permissions } = caller;
  const user = { id: userId ?? BUILT_IN_ADMIN.id, username: name, displayName, role };
  return { authEnabled, authenticated: true, user, permissions: [...permissions] };
}

export function sessionUser({ userId, username, displayName, role }: Session): SessionUser {
  return { id: userId, username, displayName, role };
}
