import type { TestAgent } from './agent-rig.ts';
import type { ConferenceRig } from './conference-rig.ts';
import { waitUntil } from './wait-until.ts';

/** Agents who call customers from browser phones. */
export type SoftphoneTalks = ReturnType<typeof softphoneTalks>;

/** Needs a running runtime for browser phone sessions. */
export function softphoneTalks(rig: ConferenceRig) {
  let next = 0;
  const api = (agent: TestAgent, method: string, path: string, body?: unknown) => rig.server.api(method, path, body, agent.token);
  const open = (agent: TestAgent, body: object = {}) => api(agent, 'POST', '/api/softphone-sessions', body);
  // oxlint-disable-next-line typescript/no-explicit-any
  const detail = async (agent: TestAgent, callId: number): Promise<any> => (await api(agent, 'GET', `/api/softphone-calls/${callId}`)).data;
  /** Statuses that the session reported, oldest first. */
  const steps = async (agent: TestAgent, callId: number): Promise<(string | undefined)[]> =>
    (await detail(agent, callId)).timeline.map((event: { data: { status?: string } }) => event.data.status);
  return {
    api,
    open,
    detail,
    steps,
    /** Opens a session whose customer has answered and stays on the line. */
    async talk(request: object) {
      const agent = await rig.agent();
      next += 1;
      const { data } = await open(agent, { phoneNumber: String(13_600_000_050 + next * 100), note: '回访', ...request });
      await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
      await waitUntil('the customer to join', async () => (await steps(agent, data.softphoneCallId)).includes('customer_joined'));
      const conferenceId = Number((await detail(agent, data.softphoneCallId)).call.conferenceId);
      await waitUntil('both to be in', async () => (await rig.session(conferenceId)).session.memberCount === 2);
      const { legs } = await rig.session(conferenceId);
      const customer = legs.find((leg: { role: string }) => leg.role === 'external');
      return { agent, conferenceId, customerUuid: String(customer.callUuid), ...data, path: `/api/softphone-sessions/${data.sessionId}` };
    },
  };
}
