import { CalloutError } from './errors.ts';
import { keysOf } from './typed.ts';

/**
 * Permissions by role: the single matrix that every edge checks.
 *
 * Source: OCS 2.3, D3.1
 */
const PERMISSION_TEXTS = {
  admin: { label: '系统管理', description: '管理用户和系统设置' },
  'audit:read': { label: '查看审计', description: '查看敏感操作的审计日志' },
  'line:write': { label: '线路管理', description: '新建、修改和删除外呼线路' },
  'campaign:write': { label: '活动管理', description: '新建、修改和删除外呼活动' },
  'campaign:dispatch': { label: '活动调度', description: '调度外呼、监控会议和主管介入' },
  'policy:write': { label: '策略管理', description: '新建、修改和删除外呼策略' },
  'compliance:write': { label: '合规管理', description: '维护勿扰名单和删除通话记录' },
  'import:write': { label: '名单导入', description: '上传文件导入联系人' },
  'contact:write': { label: '联系人管理', description: '维护联系人和呼叫结果' },
  'contact:reveal': { label: '查看号码', description: '查看与导出完整的电话号码' },
  'agent:write': { label: '坐席管理', description: '维护坐席和坐席组' },
  'agent:operate': { label: '坐席操作', description: '切换状态、通话、回呼、转接和移除会议成员' },
} as const;

export type Permission = keyof typeof PERMISSION_TEXTS;

interface PermissionDefinition {
  key: Permission;
  /** Chinese. */
  label: string;
  /** Chinese. */
  description: string;
}

export const PERMISSION_KEYS = keysOf(PERMISSION_TEXTS);

const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(PERMISSION_KEYS);
const NO_PERMISSIONS: ReadonlySet<Permission> = new Set();

/** Shape: the permissions in the order of the contract, with `contact:reveal` (D3.11) beside those for contacts. */
export const PERMISSIONS: readonly PermissionDefinition[] = PERMISSION_KEYS.map(key => ({ key, ...PERMISSION_TEXTS[key] }));

const ADMIN_ONLY: readonly Permission[] = ['admin', 'line:write'];

const MATRIX = {
  admin: { label: '管理员', permissions: PERMISSION_KEYS },
  supervisor: { label: '主管', permissions: PERMISSION_KEYS.filter(key => !ADMIN_ONLY.includes(key)) },
  agent: { label: '坐席', permissions: PERMISSION_KEYS.filter(key => key === 'agent:operate') },
} as const;

export type Role = keyof typeof MATRIX;

interface RolePermissionRow {
  role: Role;
  /** Chinese. */
  label: string;
  permissions: readonly Permission[];
}

export const ROLE_KEYS = keysOf(MATRIX);

/** Source: OCS 2.4 `GET /api/roles/permissions` */
export const ROLES: readonly RolePermissionRow[] = ROLE_KEYS.map(role => ({ role, ...MATRIX[role] }));

export function permissionsOf(role: Role): readonly Permission[] {
  return MATRIX[role].permissions;
}

const SETS = new Map(ROLE_KEYS.map(role => [role, new Set(permissionsOf(role))]));

/** One shared set per role, because each open stream keeps a reference to its caller's permissions. */
export function permissionSetOf(role: Role): ReadonlySet<Permission> {
  return SETS.get(role) ?? NO_PERMISSIONS;
}

/** Access to a route: no credentials, any session, the internal token, or a permission of the matrix (OCS 2.3, 5). */
export type RouteAccess = 'public' | 'session' | 'internal' | Permission;

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

/** Name by which colleagues know the caller: the display name, else the name of the account. */
export function personName({ displayName, name }: Pick<Caller, 'displayName' | 'name'>): string {
  return displayName || name;
}
