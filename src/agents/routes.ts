import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, route } from '#platform/http/route.ts';
import { createAgentGroup, deleteAgentGroup, listAgentGroups, updateAgentGroup } from './agent-groups.ts';
import {
  agent,
  AGENT_STATUSES,
  agentChanges,
  agentGroup,
  agentGroupChanges,
  newAgent,
  newAgentGroup,
  agentStateSeconds,
  breakReasonList,
  breakReasonsChange,
  WRAP_UP_STEPS,
  registrationStatus,
} from './agent.ts';
import { createAgent, deleteAgent, updateAgent } from './change-agents.ts';
import { listExtensions, listPhoneStatuses, viewAgents } from './list-agents.ts';
import { stateSpan, sumAgentStates } from './sum-states.ts';
import { listBreakReasons, setBreakReasons } from './break-reasons.ts';
import { changeWrapUp } from './wrap-up.ts';
import { listCode } from '#kernel/coded-list.ts';
import { getOwnSipConfig, listSipConfigs } from './sip-config.ts';
import { getOwnStatus, setAgentStatus, setOwnStatus } from './status.ts';
import type { App } from '#app/app.ts';

const extensionRow = z
  .object({
    phoneExtension: z.string(),
    cellId: z.string().nullable(),
    /** Whether the cell can be reached. */
    switchReachable: z.boolean(),
    registrationStatus: registrationStatus,
    agentId: rowId.nullable(),
  })
  .meta({ id: 'PhoneExtension' });

/** Source: OCS 2.13 "Phone-status summary items" */
const phoneStatusRow = z
  .object({ agentId: rowId, phoneExtension: z.string(), registrationStatus: registrationStatus })
  .meta({ id: 'PhoneStatus' });

const sipFields = {
  agentId: rowId,
  phoneExtension: z.string(),
  displayName: z.string(),
  sipUri: z.string(),
  authUsername: z.string(),
  wsServers: z.array(z.string()),
  realm: z.string(),
  iceServers: z.array(z.object({ urls: z.string(), username: z.string().optional(), credential: z.string().optional() })),
};

/** Source: D12.2 */
const ownSipConfig = z
  .object({
    ...sipFields,
    /** Null when no password is stored. */
    password: z.string().nullable(),
  })
  .meta({ id: 'OwnSipConfig' });

/** Lists contain neither passwords (D12.2) nor credentials of ICE servers. */
const sipConfigRow = z.object({ ...sipFields, iceServers: z.array(z.object({ urls: z.string() })) }).meta({ id: 'SipConfig' });

const oneAgent = z.object({ agent });
const oneGroup = z.object({ group: agentGroup });

/** Accepts `online`, the name that older clients use for `idle`. Source: OCS 2.13 */
const statusBody = z.object({
  status: z.enum([...AGENT_STATUSES, 'online']).transform(status => (status === 'online' ? 'idle' : status)),
  reason: listCode.nullish().meta({ description: '忙碌的原因：GET /api/break-reasons 中启用的 code' }),
});

export const listAgentsRoute = route('GET /api/agents', 'session', '坐席与坐席组', {
  data: z.object({ agents: z.array(agent), groups: z.array(agentGroup) }),
});

export const listExtensionsRoute = route('GET /api/agents/extensions', 'session', '交换机上可用的分机', {
  data: z.object({ rows: z.array(extensionRow) }),
});

export const listPhoneStatusesRoute = route('GET /api/agents/phone-statuses', 'agent:operate', '全部坐席的话机注册状态', {
  data: z.object({ rows: z.array(phoneStatusRow) }),
});

const groupParam = z.object({ groupId: idText4 });

export const createAgentGroupRoute = route('POST /api/agent-groups', 'agent:write', '新建坐席组', { body: newAgentGroup, data: oneGroup });

export const updateAgentGroupRoute = route('PATCH /api/agent-groups/:groupId', 'agent:write', '修改坐席组', {
  params: groupParam,
  body: agentGroupChanges,
  data: oneGroup,
});

export const deleteAgentGroupRoute = route('DELETE /api/agent-groups/:groupId', 'agent:write', '删除没有坐席的坐席组', {
  params: groupParam,
  data: oneGroup,
});

export const createAgentRoute = route('POST /api/agents', 'agent:write', '新建坐席', { body: newAgent, data: oneAgent });

export const updateAgentRoute = route('PATCH /api/agents/:id', 'agent:write', '修改坐席', {
  params: idParam,
  body: agentChanges,
  data: oneAgent,
});

export const deleteAgentRoute = route('DELETE /api/agents/:id', 'agent:write', '删除不在忙的坐席', { params: idParam, data: oneAgent });

/** `agent` is null when no enabled agent is bound to the user (OCS 4.13). */
export const getOwnStatusRoute = route('GET /api/agents/me/status', 'agent:operate', '当前用户绑定坐席的状态与话机注册状态', {
  data: z.object({ agent: agent.nullable() }),
});

export const setOwnStatusRoute = route('PATCH /api/agents/me/status', 'agent:operate', '切换当前用户绑定坐席的状态', {
  body: statusBody,
  data: oneAgent,
});

export const setAgentStatusRoute = route('PATCH /api/agents/:id/status', 'agent:operate', '切换坐席状态；坐席只能切换自己', {
  params: idParam,
  body: statusBody,
  data: oneAgent,
});

export const getOwnSipConfigRoute = route('GET /api/agents/me/sip-config', 'agent:operate', '当前坐席的 SIP 注册配置', {
  data: ownSipConfig,
});

export const listSipConfigsRoute = route('GET /api/agents/sip-configs', 'agent:operate', '可见的 SIP 注册配置，不含密码', {
  data: z.object({ rows: z.array(sipConfigRow) }),
});

export const changeWrapUpRoute = route('POST /api/agents/:id/wrap-up', 'agent:operate', '延长一次或结束坐席的整理时间；坐席只能操作自己', {
  params: idParam,
  body: z.object({ step: z.enum(WRAP_UP_STEPS) }),
  data: oneAgent,
});

export const listBreakReasonsRoute = route('GET /api/break-reasons', 'session', '坐席忙碌的原因', { data: breakReasonList });

export const setBreakReasonsRoute = route('PUT /api/break-reasons', 'agent:write', '设置坐席忙碌的原因', {
  body: breakReasonsChange,
  data: breakReasonList,
});

export const agentStateSecondsRoute = route('GET /api/agent-state-seconds', 'agent:operate', '坐席每天各状态的秒数；坐席只能看自己', {
  query: stateSpan.extend({ agentId: idText4.optional() }),
  data: z.object({ rows: z.array(agentStateSeconds) }),
});

/** The agents, their groups and statuses. Source: OCS 4.13, 4.14 */
export function agentHandlers(app: App): RestHandler[] {
  // `me` must precede `:id`.
  return [...ownHandlers(app), ...rosterHandlers(app), ...groupHandlers(app), ...stateHandlers(app)];
}

function rosterHandlers(app: App): RestHandler[] {
  return [
    handler(listAgentsRoute, async () => {
      const [agents, groups] = await Promise.all([viewAgents(app), listAgentGroups(app)]);
      return { agents, groups };
    }),
    handler(listExtensionsRoute, async () => ({ rows: await listExtensions(app) })),
    handler(listPhoneStatusesRoute, async () => ({ rows: await listPhoneStatuses(app) })),
    handler(createAgentRoute, async ({ body, caller }) => ({ agent: await createAgent(app, caller, body) })),
    handler(updateAgentRoute, async ({ params, body, caller }) => ({
      agent: await updateAgent(app, caller, params.id, body),
    })),
    handler(deleteAgentRoute, async ({ params, caller }) => ({ agent: await deleteAgent(app, caller, params.id) })),
    handler(setAgentStatusRoute, async ({ params, body, caller }) => ({
      agent: await setAgentStatus(app, caller, params.id, body),
    })),
  ];
}

function stateHandlers(app: App): RestHandler[] {
  return [
    handler(changeWrapUpRoute, async ({ params, body, caller }) => ({ agent: await changeWrapUp(app, caller, params.id, body.step) })),
    handler(listBreakReasonsRoute, () => listBreakReasons(app)),
    handler(setBreakReasonsRoute, ({ body, caller }) => setBreakReasons(app, caller, body)),
    handler(agentStateSecondsRoute, async ({ query, caller }) => ({ rows: await sumAgentStates(app, caller, query) })),
  ];
}

function groupHandlers(app: App): RestHandler[] {
  return [
    handler(createAgentGroupRoute, async ({ body, caller }) => ({ group: await createAgentGroup(app, caller, body) })),
    handler(updateAgentGroupRoute, async ({ params, body, caller }) => ({
      group: await updateAgentGroup(app, caller, params.groupId, body),
    })),
    handler(deleteAgentGroupRoute, async ({ params, caller }) => ({
      group: await deleteAgentGroup(app, caller, params.groupId),
    })),
  ];
}

function ownHandlers(app: App): RestHandler[] {
  return [
    handler(getOwnStatusRoute, async ({ caller }) => ({ agent: await getOwnStatus(app, caller) })),
    handler(setOwnStatusRoute, async ({ body, caller }) => ({ agent: await setOwnStatus(app, caller, body) })),
    handler(getOwnSipConfigRoute, ({ caller }) => getOwnSipConfig(app, caller)),
    handler(listSipConfigsRoute, async ({ caller }) => ({
      rows: (await listSipConfigs(app, caller)).map(config => ({
        ...config,
        iceServers: config.iceServers.map(({ urls }) => ({ urls })),
      })),
    })),
  ];
}
