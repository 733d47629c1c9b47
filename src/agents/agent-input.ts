import { invalidArgument } from '#kernel/errors.ts';
import type { AgentChanges, AgentFields } from './agent.ts';
import type { Seal } from '#access/seal.ts';

export interface AgentInputDeps {
  /** Ids of the configured cells. */
  cellIds: ReadonlySet<string>;
  seal: Seal;
}

/**
 * Applies the input to `current`.
 *
 * Errors: INVALID_ARGUMENT when the two names of the extension differ, or the cell is not configured
 * Source: OCS 4.13 "Compatibility", D12.1
 */
export function agentFields(deps: AgentInputDeps, current: AgentFields, input: AgentChanges): AgentFields {
  const { cellId } = input;
  if (cellId && !deps.cellIds.has(cellId)) throw invalidArgument('cellId', '不是已配置的交换机单元');
  return {
    name: input.name ?? current.name,
    phoneExtension: extensionOf(input) ?? current.phoneExtension,
    groupId: input.groupId === undefined ? current.groupId : input.groupId,
    userId: input.userId === undefined ? current.userId : input.userId,
    cellId: cellId === undefined ? current.cellId : cellId,
    isEnabled: input.isEnabled ?? current.isEnabled,
    authUsername: input.authUsername === undefined ? current.authUsername : (input.authUsername ?? ''),
    ...passwordOf(deps, current, input),
  };
}

/** A password belongs to the user it was given to: binding the agent to another user clears it, and binding it back does not restore it. */
function passwordOf(
  { seal }: AgentInputDeps,
  current: AgentFields,
  { userId, sipPassword }: AgentChanges,
): Pick<AgentFields, 'sealedPassword'> {
  if (sipPassword !== undefined) return { sealedPassword: sipPassword ? seal.close(sipPassword) : null };
  return userId === undefined || userId === current.userId ? {} : { sealedPassword: null };
}

/** Returns undefined when neither name is given. */
function extensionOf({ phoneExtension, sipUsername }: AgentChanges): string | undefined {
  if (phoneExtension && sipUsername && phoneExtension !== sipUsername) {
    throw invalidArgument('sipUsername', '与 phoneExtension 不一致');
  }
  if (phoneExtension === undefined && sipUsername === undefined) return undefined;
  return phoneExtension || sipUsername || '';
}
