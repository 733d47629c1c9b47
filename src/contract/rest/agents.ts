import { z } from 'zod';
import { AGENT_STATUSES } from '#rules/agent-status.ts';
import { idParam, idText4 } from './fields.ts';
import { flag, optionalText, requiredText, rowId, stamps } from '#model/fields.ts';
import { route } from './route.ts';

export const REGISTRATION_STATUSES = ['registered', 'unregistered', 'unconfigured', 'unknown'] as const;
const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_CELL_ID_LENGTH = 64;
const MAX_PASSWORD_LENGTH = 200;

/** What may stand in a SIP address and in a command of the switch. */
const EXTENSION = /^(?:[0-9A-Za-z_.*#-]{1,32})?$/;
const extension = z.string().trim().regex(EXTENSION, '只能含有字母、数字、_ . * # -，最多 32 个字符');

/** The single terminal identifier; `sipUsername` is never answered. Source: OCS 2.13, D12.1 */
export const agentRow = z
  .object({
    id: rowId,
    name: z.string(),
    phoneExtension: z.string(),
    groupId: rowId.nullable(),
    userId: rowId.nullable(),
    cellId: z.string().nullable(),
    isEnabled: flag,
    status: z.enum(AGENT_STATUSES),
    registrationStatus: z.enum(REGISTRATION_STATUSES),
    /** `callKey` of the call that the agent is in. */
    currentCall: z.string().nullable(),
    ...stamps,
  })
  .meta({ id: 'Agent' });

export const agentGroupRow = z.object({ id: rowId, name: z.string(), description: z.string(), ...stamps }).meta({ id: 'AgentGroup' });

export const extensionRow = z
  .object({
    phoneExtension: z.string(),
    cellId: z.string().nullable(),
    /** Whether the cell answers. */
    switchReachable: z.boolean(),
    registrationStatus: z.enum(REGISTRATION_STATUSES),
    agentId: rowId.nullable(),
  })
  .meta({ id: 'PhoneExtension' });

/** Source: OCS 2.13 "Phone-status summary items" */
export const phoneStatusRow = z
  .object({ agentId: rowId, phoneExtension: z.string(), registrationStatus: z.enum(REGISTRATION_STATUSES) })
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
export const ownSipConfig = z
  .object({
    ...sipFields,
    /** Null: none is stored. */
    password: z.string().nullable(),
  })
  .meta({ id: 'OwnSipConfig' });

/** Lists never carry passwords (D12.2), nor credentials of ICE servers. */
export const sipConfigRow = z.object({ ...sipFields, iceServers: z.array(z.object({ urls: z.string() })) }).meta({ id: 'SipConfig' });

const oneAgent = z.object({ agent: agentRow });
const oneGroup = z.object({ group: agentGroupRow });

const optionalCell = z
  .string()
  .trim()
  .max(MAX_CELL_ID_LENGTH)
  .transform(text => (text === '' ? null : text))
  .nullable();

const agentFields = {
  name: requiredText(MAX_NAME_LENGTH),
  phoneExtension: extension.nullish(),
  /** Older clients name the extension so (OCS 4.13 "Compatibility"). */
  sipUsername: extension.nullish(),
  groupId: rowId.nullish(),
  userId: rowId.nullish(),
  /** Null or empty: any cell. */
  cellId: optionalCell.optional(),
  isEnabled: flag.optional(),
  /** User name of the phone's registration when it is not the extension. */
  authUsername: extension.nullish(),
  /** Kept encrypted, answered to its own agent only; null or empty removes it. */
  sipPassword: z.string().max(MAX_PASSWORD_LENGTH).nullish(),
};

/** `online` of older clients is `idle`. Source: OCS 2.13 */
const statusBody = z.object({
  status: z.enum([...AGENT_STATUSES, 'online']).transform(status => (status === 'online' ? 'idle' : status)),
});

export const listAgentsRoute = route({
  method: 'GET',
  path: '/api/agents',
  access: 'session',
  summary: '坐席与坐席组',
  data: z.object({ agents: z.array(agentRow), groups: z.array(agentGroupRow) }),
});

export const listExtensionsRoute = route({
  method: 'GET',
  path: '/api/agents/extensions',
  access: 'session',
  summary: '交换机上可用的分机',
  data: z.object({ rows: z.array(extensionRow) }),
});

export const listPhoneStatusesRoute = route({
  method: 'GET',
  path: '/api/agents/phone-statuses',
  access: 'agent:operate',
  summary: '全部坐席的话机注册状态',
  data: z.object({ rows: z.array(phoneStatusRow) }),
});

const groupParam = z.object({ groupId: idText4 });

export const createAgentGroupRoute = route({
  method: 'POST',
  path: '/api/agent-groups',
  access: 'agent:write',
  summary: '新建坐席组',
  body: z.object({ name: requiredText(MAX_NAME_LENGTH), description: optionalText(MAX_DESCRIPTION_LENGTH) }),
  data: oneGroup,
});

export const updateAgentGroupRoute = route({
  method: 'PATCH',
  path: '/api/agent-groups/:groupId',
  access: 'agent:write',
  summary: '修改坐席组',
  params: groupParam,
  body: z.object({
    name: requiredText(MAX_NAME_LENGTH).optional(),
    description: z.string().trim().max(MAX_DESCRIPTION_LENGTH).optional(),
  }),
  data: oneGroup,
});

export const deleteAgentGroupRoute = route({
  method: 'DELETE',
  path: '/api/agent-groups/:groupId',
  access: 'agent:write',
  summary: '删除没有坐席的坐席组',
  params: groupParam,
  data: oneGroup,
});

export const createAgentRoute = route({
  method: 'POST',
  path: '/api/agents',
  access: 'agent:write',
  summary: '新建坐席',
  body: z.object(agentFields),
  data: oneAgent,
});

export const updateAgentRoute = route({
  method: 'PATCH',
  path: '/api/agents/:id',
  access: 'agent:write',
  summary: '修改坐席',
  params: idParam,
  body: z.object({ ...agentFields, name: agentFields.name.optional() }),
  data: oneAgent,
});

export const deleteAgentRoute = route({
  method: 'DELETE',
  path: '/api/agents/:id',
  access: 'agent:write',
  summary: '删除不在忙的坐席',
  params: idParam,
  data: oneAgent,
});

/** `agent` is null when no enabled agent is bound to the user (OCS 4.13). */
export const getOwnStatusRoute = route({
  method: 'GET',
  path: '/api/agents/me/status',
  access: 'agent:operate',
  summary: '当前用户绑定坐席的状态与话机注册状态',
  data: z.object({ agent: agentRow.nullable() }),
});

export const setOwnStatusRoute = route({
  method: 'PATCH',
  path: '/api/agents/me/status',
  access: 'agent:operate',
  summary: '切换当前用户绑定坐席的状态',
  body: statusBody,
  data: oneAgent,
});

export const setAgentStatusRoute = route({
  method: 'PATCH',
  path: '/api/agents/:id/status',
  access: 'agent:operate',
  summary: '切换坐席状态；坐席只能切换自己',
  params: idParam,
  body: statusBody,
  data: oneAgent,
});

export const getOwnSipConfigRoute = route({
  method: 'GET',
  path: '/api/agents/me/sip-config',
  access: 'agent:operate',
  summary: '当前坐席的 SIP 注册配置',
  data: ownSipConfig,
});

export const listSipConfigsRoute = route({
  method: 'GET',
  path: '/api/agents/sip-configs',
  access: 'agent:operate',
  summary: '可见的 SIP 注册配置，不含密码',
  data: z.object({ rows: z.array(sipConfigRow) }),
});
