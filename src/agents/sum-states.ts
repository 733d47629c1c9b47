import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { AgentStates } from './agent-states.ts';
import type { AgentStore } from './agent-store.ts';
import type { AgentStateSeconds } from './agent.ts';
import { findOwnAgent, requireActingFor } from './status.ts';

/** Days added up at once: a quarter. */
const MAX_DAYS = 92;

/** Days of the business time zone, `2026-11-29`, both included. */
export const stateSpan = z.object({
  from: z.iso.date().optional().meta({ description: '第一天，按业务时区；缺省为最后一天' }),
  to: z.iso.date().optional().meta({ description: '最后一天，含；最多 92 天；缺省为今天' }),
});

type GivenSpan = z.output<typeof stateSpan>;

interface SecondsSearch extends GivenSpan {
  agentId?: number | undefined;
}

/** Clock and business time zone, from which today follows. */
export interface TodayApp {
  clock: Pick<Clock, 'now'>;
  timeZone: string;
}

interface StatesApp extends TodayApp {
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
export async function sumAgentStates(app: StatesApp, caller: Caller, { agentId, ...given }: SecondsSearch): Promise<AgentStateSeconds[]> {
  const span = spanOf(app, given);
  return app.agentStates.seconds({ agentIds: await agentsSeen(app, caller, agentId), ...span });
}

/** The days of a search, today by default. Errors: INVALID_ARGUMENT for days in the wrong order, or more of them than a quarter has */
export function spanOf({ clock, timeZone }: TodayApp, given: GivenSpan): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const to = given.to ?? today;
  const from = given.from ?? to;
  if (to < from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  const last = Temporal.PlainDate.from(from)
    .add({ days: MAX_DAYS - 1 })
    .toString();
  if (to > last) throw invalidArgument('to', 'atMost', { max: last });
  return { from, to };
}

async function agentsSeen(app: StatesApp, caller: Caller, agentId: number | undefined): Promise<number[] | null> {
  if (agentId !== undefined) return [(await requireActingFor(app, caller, agentId)).id];
  if (caller.role !== 'agent') return null;
  const own = await findOwnAgent(app, caller);
  return own === null ? [] : [own.id];
}
