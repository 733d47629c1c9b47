import { CalloutError } from '#kernel/errors.ts';
import type { AgentAvailability } from '#ports/agent-directory.ts';
import type { ConferenceLeg, ConferenceSession } from '#model/conference.ts';
import type { Caller } from '../access/caller.ts';
import type { ConferenceDeps } from './deps.ts';

/** Who asks, as a conference sees it. */
export interface Asker {
  isDispatcher: boolean;
  /** The caller's own agent, when there is one. */
  agent: AgentAvailability | undefined;
  /** The caller's own open leg in the conference. */
  leg: ConferenceLeg | undefined;
}

export async function askerOf({ agents }: Pick<ConferenceDeps, 'agents'>, caller: Caller, session: ConferenceSession): Promise<Asker> {
  const agent = caller.userId === null ? undefined : await agents.findByUser(caller.userId);
  const leg = session.legs.find(each => agent !== undefined && each.agentId === agent.agentId && each.status !== 'ended');
  return { isDispatcher: caller.permissions.has('campaign:dispatch'), agent, leg };
}

/**
 * An agent changes only the conference that it is in; whoever may dispatch changes any.
 *
 * Errors: FORBIDDEN
 * Source: OCS 4.15
 */
export function requirePlace(asker: Asker): void {
  if (!asker.isDispatcher && asker.leg === undefined) throw new CalloutError('FORBIDDEN', '只有会议中的坐席或主管可以变更成员');
}
