import { invalidArgument } from '#kernel/errors.ts';
import type { AgentChanges, AgentFields } from '#model/agent.ts';
import type { Seal } from '../access/seal.ts';

export interface AgentInputDeps {
  /** Cells of the configuration. */
  cellIds: ReadonlySet<string>;
  seal: Seal;
}

/**
 * `current` with what the input says.
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

/** A password is for the person it was given to: whoever binds the agent to somebody else does not hand it on, nor get it back. */
function passwordOf(
  { seal }: AgentInputDeps,
  current: AgentFields,
  { userId, sipPassword }: AgentChanges,
): Pick<AgentFields, 'sealedPassword'> {
  if (sipPassword !== undefined) return { sealedPassword: sipPassword ? seal.close(sipPassword) : null };
  return userId === undefined || userId === current.userId ? {} : { sealedPassword: null };
}

/** Undefined: neither name was given. */
function extensionOf({ phoneExtension, sipUsername }: AgentChanges): string | undefined {
  if (phoneExtension && sipUsername && phoneExtension !== sipUsername) {
    throw invalidArgument('sipUsername', '与 phoneExtension 不一致');
  }
  if (phoneExtension === undefined && sipUsername === undefined) return undefined;
  return phoneExtension || sipUsername || '';
}
