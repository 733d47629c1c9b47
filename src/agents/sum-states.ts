import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { AgentStates } from './agent-states.ts';
import type { AgentStore } from './agent-store.ts';
import type { AgentStateSeconds } from './agent.ts';
import { findOwnAgent, requireActingFor } from './status.ts';

/** Days added up at once: a quarter. */
const MAX_DAYS = 92;

/** Days of the business time zone, `2026-11-29`, both included. */
export const stateSpan = z.object({
  from: z.iso.date().meta({ description: '第一天，按业务时区' }),
  to: z.iso.date().meta({ description: '最后一天，含；最多 92 天' }),
});

interface SecondsSearch {
  from: string;
  to: string;
  agentId?: number | undefined;
}

interface StatesApp {
  agents: Pick<AgentStore, 'find' | 'findByUser'>;
  agentStates: Pick<AgentStates, 'seconds'>;
}

/**
 * Adds up what agents did on each business day; an agent sees only itself.
 *
 * Shape:  sorted by day, agent, state, reason; states without a second are absent
 * Errors: INVALID_ARGUMENT for days in the wrong order, or too many of them; FORBIDDEN for another user's agent; NOT_FOUND
 * Source: D12.9
 */
export async function sumAgentStates(app: StatesApp, caller: Caller, { from, to, agentId }: SecondsSearch): Promise<AgentStateSeconds[]> {
  requireSpan(from, to);
  return app.agentStates.seconds({ agentIds: await agentsSeen(app, caller, agentId), from, to });
}

/** Errors: INVALID_ARGUMENT for days in the wrong order, or more of them than a quarter has */
export function requireSpan(from: string, to: string): void {
  if (to < from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  const last = Temporal.PlainDate.from(from)
    .add({ days: MAX_DAYS - 1 })
    .toString();
  if (to > last) throw invalidArgument('to', 'atMost', { max: last });
}

async function agentsSeen(app: StatesApp, caller: Caller, agentId: number | undefined): Promise<number[] | null> {
  if (agentId !== undefined) return [(await requireActingFor(app, caller, agentId)).id];
  if (caller.role !== 'agent') return null;
  const own = await findOwnAgent(app, caller);
  return own === null ? [] : [own.id];
}
