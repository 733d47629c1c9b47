import type { SealPart } from '#access/seal.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';
import type { Agent, AgentView } from '#agents/agent.ts';
import { addAgent, auditChangedAgent, auditNewAgent, bindAgent, type ChangedAgent } from '#agents/change-agents.ts';
import { viewAgent } from '#agents/list-agents.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { CellsPart } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { addNewUser, auditNewUser, newUserRow } from './change-users.ts';
import type { User, UserWithAgentInput } from './user.ts';

type UserAgentApp = AuditPart & CredentialsPart & AgentsPart & CellsPart & SealPart & Pick<Platform, 'db'>;

/** The agent of a new user, `before` null when it is new, too. */
type Bound = ChangedAgent | { before: null; after: Agent };

/**
 * Creates a user with their agent, a new one or one that has no user yet: both or neither.
 *
 * Errors: those of `createUser` and `createAgent`; NOT_FOUND for an unknown agent; CONFLICT for one that has a user
 * Source: D12.1, D12.12
 */
export async function createUserWithAgent(
  app: UserAgentApp,
  caller: Caller,
  input: UserWithAgentInput,
): Promise<{ user: User; agent: AgentView }> {
  if (Boolean(input.agent) === Boolean(input.agentId)) throw invalidArgument('agent', 'exactlyOne', { other: 'agentId' });
  const row = await newUserRow(app, input);
  const { user, bound } = await app.db.transaction(async tx => {
    const user = await addNewUser(tx, row);
    return { user, bound: await bind(app, tx, user, input) };
  });
  await auditNewUser(app, caller, user);
  await auditBound(app, caller, bound);
  return { user, agent: await viewAgent(app, bound.after) };
}

async function bind(app: CellsPart & SealPart, tx: Sql, user: User, { agent, agentId }: UserWithAgentInput): Promise<Bound> {
  if (agentId) return bindAgent(app, tx, { agentId, userId: user.id });
  return { before: null, after: await addAgent(app, tx, { ...agent, name: agent?.name ?? user.displayName, userId: user.id }) };
}

function auditBound(app: AuditPart, caller: Caller, bound: Bound): Promise<void> {
  return bound.before === null ? auditNewAgent(app, caller, bound.after) : auditChangedAgent(app, caller, bound);
}
