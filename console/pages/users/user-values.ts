import type { Role } from './role-table.tsx';
import type { CreateUserWithAgentMutationVariables, UserRowFragment } from './users.generated.ts';

export const KINDS = ['NEW', 'KNOWN', 'NONE'] as const;
type Kind = (typeof KINDS)[number];

export interface UserValues {
  username: string;
  displayName: string;
  role: Role;
  /** Empty for an existing user: the password stays. */
  password: string;
  /** Empty: what the role suggests. The members below are those of the agent of a new user. */
  agentKind: Kind | '';
  agentId: string;
  name: string;
  phoneExtension: string;
  groupId: string;
  sipPassword: string;
}

const NO_AGENT = { agentKind: '', agentId: '', name: '', phoneExtension: '', groupId: '', sipPassword: '' } as const;

export function valuesOf(user: UserRowFragment | null): UserValues {
  const { username = '', displayName = '', role } = user ?? {};
  return { username: username ?? '', displayName, role: role ?? 'AGENT', password: '', ...NO_AGENT };
}

/** The role agent needs an agent; a supervisor may have one, an administrator gets none here. */
export function agentKindOf({ agentKind, role }: Pick<UserValues, 'agentKind' | 'role'>): Kind {
  if (role === 'ADMIN') return 'NONE';
  return agentKind || (role === 'AGENT' ? 'NEW' : 'NONE');
}

export function userInputOf({ username, displayName, role, password }: UserValues) {
  return { username, displayName: displayName || null, role, password };
}

/** Input for a user with an agent; empty fields are left out. */
export function withAgentInputOf(values: UserValues): CreateUserWithAgentMutationVariables['input'] {
  const { agentId, name, phoneExtension, groupId, sipPassword } = values;
  if (agentKindOf(values) === 'KNOWN') return { ...userInputOf(values), agentId };
  const agent = { name: name || null, phoneExtension: phoneExtension || null, groupId: groupId || null, sipPassword: sipPassword || null };
  return { ...userInputOf(values), agent: Object.fromEntries(Object.entries(agent).filter(([, value]) => value !== null)) };
}

/** Values of an existing user that can change. */
export function userChangesOf(changes: Partial<UserValues>) {
  const { username: _u, agentKind: _k, agentId: _i, name: _n, phoneExtension: _e, groupId: _g, sipPassword: _s, ...given } = changes;
  return given;
}
