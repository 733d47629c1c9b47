import { emptyAsNull } from '../../form/noun.ts';
import type { CreateUserWithAgentMutationVariables } from '../users/users.generated.ts';
import type { AgentRowFragment, CreateAgentMutationVariables } from './agents.generated.ts';

/** Choice of the user that stands for one who is made with the agent. */
export const NEW_USER = 'new';

export interface AgentValues {
  name: string;
  groupId: string;
  /** Row id, `NEW_USER`, or empty for none. */
  userId: string;
  phoneExtension: string;
  cellId: string;
  /** The server never returns it; empty leaves it unchanged. */
  authUsername: string;
  sipPassword: string;
  /** The members below are those of a new user. */
  username: string;
  role: 'AGENT' | 'SUPERVISOR';
  password: string;
}

type AgentInput = CreateAgentMutationVariables['input'];

export function valuesOf(agent: AgentRowFragment | null): AgentValues {
  return {
    name: agent?.name ?? '',
    groupId: agent?.groupId ?? '',
    userId: agent?.userId ?? '',
    phoneExtension: agent?.phoneExtension ?? '',
    cellId: agent?.cellId ?? '',
    authUsername: '',
    sipPassword: '',
    username: '',
    role: 'AGENT',
    password: '',
  };
}

export function inputOf({ username: _name, role: _role, password: _password, ...values }: Partial<AgentValues>) {
  return emptyAsNull(values, ['groupId', 'userId', 'cellId']) as unknown as AgentInput;
}

/** Input for a new agent: empty fields are left out. */
export function newAgentOf({ authUsername, sipPassword, ...values }: AgentValues): AgentInput {
  return inputOf({ ...values, ...(authUsername ? { authUsername } : {}), ...(sipPassword ? { sipPassword } : {}) });
}

/** Input for a new agent with its user, who has the same name. */
export function newUserOf(values: AgentValues): CreateUserWithAgentMutationVariables['input'] {
  const { username, role, password, name } = values;
  const { userId: _new, ...agent } = newAgentOf(values);
  return { username, role, password, displayName: name, agent };
}
