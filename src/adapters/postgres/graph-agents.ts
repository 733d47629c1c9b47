import { sql } from 'kysely';
import type { GraphStore } from '#ports/graph-store.ts';
import type { Agent, AgentGroup } from '#ports/records.ts';
import type { SoftphoneCall } from '#ports/softphone-store.ts';
import { AGENT_COLUMNS, AGENT_GROUP_COLUMNS } from './agent-repository.ts';
import type { Database } from './database.ts';
import { before, cut } from './graph-slice.ts';
import { SOFTPHONE_COLUMNS, softphoneMatches } from './softphone-columns.ts';
import { ids } from './values.ts';

type AgentRows = Pick<GraphStore, 'agents' | 'agentGroups' | 'sliceSoftphoneCalls' | 'countSoftphoneCalls'>;

/** Agents and their calls. */
export function graphAgents(db: Database): AgentRows {
  return {
    agents: agentIds => db.rows(sql<Agent>`select ${AGENT_COLUMNS} from agent where id = any(${ids(agentIds)}) and deleted_at is null`),
    agentGroups: groupIds =>
      db.rows(sql<AgentGroup>`select ${AGENT_GROUP_COLUMNS} from agent_group where id = any(${ids(groupIds)}) and deleted_at is null`),
    sliceSoftphoneCalls: slice =>
      cut(slice, limit =>
        db.rows(sql<SoftphoneCall>`
          select ${SOFTPHONE_COLUMNS} from softphone_call s where ${softphoneMatches(slice)} and ${before(sql`s.id`, slice)}
          order by s.id desc limit ${limit}`),
      ),
    countSoftphoneCalls: async filter =>
      (await db.first(sql<{ total: number }>`select count(*) as total from softphone_call s where ${softphoneMatches(filter)}`))?.total ??
      0,
  };
}
