import type { AgentEvent } from '#actors/agent/events.ts';
import { audit, type AuditedAction, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { sendToAgent } from './agent-actor.ts';
import type { AgentsPart } from './agent-directory.ts';
import type { Agent, AgentView, WrapUpStep } from './agent.ts';
import { viewAgent } from './list-agents.ts';
import { requireActingFor } from './status.ts';

type WrapUpApp = AgentsPart & AuditPart & Pick<Platform, 'clock' | 'ids'>;

const AUDITED: Readonly<Record<WrapUpStep, { action: AuditedAction; text: string }>> = {
  extend: { action: 'agent.wrap_up_extended', text: '延长' },
  end: { action: 'agent.wrap_up_ended', text: '结束' },
};

/**
 * Gives an agent in wrap-up as long again, once, or ends it.
 *
 * Errors: FORBIDDEN for another user's agent, and for an agent who would end a wrap-up that waits for a disposition; NOT_FOUND;
 *         CONFLICT (NO_WRAP_UP) without one, (UNCHANGED) when it was given more time before
 * Source: D12.9
 */
export async function changeWrapUp(app: WrapUpApp, caller: Caller, agentId: number, step: WrapUpStep): Promise<AgentView> {
  const agent = await requireActingFor(app, caller, agentId);
  const isSupervisor = caller.permissions.has('campaign:dispatch');
  const { wrapUp } = (await viewAgent(app, agent)).activity;
  if (wrapUp === null) throw noWrapUp(agent);
  if (step === 'extend' && !wrapUp.canExtend) throw conflict('UNCHANGED', '整理时间只能延长一次');
  if (step === 'end' && wrapUp.isRequired && !isSupervisor) throw new CalloutError('FORBIDDEN', '请先选定通话结果；主管可以直接结束整理');
  const outcome = await sendToAgent(app.agentHost, agentId, eventOf(step, isSupervisor, app.clock.now()), `wrap-up:${app.ids()}`);
  if (outcome.kind === 'ignored') throw noWrapUp(agent);
  await auditStep(app, caller, agent, step);
  return viewAgent(app, agent);
}

function eventOf(step: WrapUpStep, isSupervisor: boolean, at: number): AgentEvent {
  return step === 'extend' ? { type: 'wrapUpExtended', at } : { type: 'wrapUpEnded', isSupervisor, at };
}

function noWrapUp({ name }: Agent): CalloutError {
  return conflict('NO_WRAP_UP', `坐席「${name}」不在整理中`);
}

function auditStep(app: AuditPart, caller: Caller, { id, name }: Agent, step: WrapUpStep): Promise<void> {
  const { action, text } = AUDITED[step];
  return audit(app, caller, { action, targetType: 'agent', targetId: id, summary: `${text}坐席「${name}」的整理时间` });
}
