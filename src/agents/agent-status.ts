/** Source: OCS 2.13 */
export const AGENT_STATUSES = ['idle', 'busy', 'offline'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];
