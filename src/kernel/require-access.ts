import { CalloutError } from './errors.ts';
import type { Caller } from './caller.ts';
import type { RouteAccess } from './permissions.ts';

/**
 * Returns the caller when the access rule of a route or field admits them; every edge checks here.
 *
 * Errors: UNAUTHENTICATED without a session; FORBIDDEN without the permission
 * Source: OCS 2.3, 5
 */
export function requireAccess(access: Exclude<RouteAccess, 'public' | 'internal'>, caller: Caller | null): Caller {
  if (!caller) throw new CalloutError('UNAUTHENTICATED', '未登录或登录已失效');
  if (access !== 'session' && !caller.permissions.has(access)) throw new CalloutError('FORBIDDEN', `没有权限：需要 ${access}`);
  return caller;
}
