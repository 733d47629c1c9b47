import { type DispatchRig, startDispatchRig } from './dispatch-rig.ts';
import type { Phone } from '#tools/switch/phone.ts';
import { waitUntil } from './wait-until.ts';

/** Encryption key used only by tests. */
export const SECRET_KEY = '0123456789abcdef'.repeat(4);

/** A phone that rings for 20 ms, is answered and never hangs up. */
export function phone(extension: string, change: Partial<Phone> = {}): Phone {
  return { extension, isRegistered: true, manner: 'answers', ringMs: 20, talkMs: null, ...change };
}

export interface TestAgent {
  id: number;
  extension: string;
  /** Access token of the agent's user. */
  token: string;
  userId: number;
}

/** Phones registered before the server first queries registrations, so that no test waits for one to be noticed. */
const MAX_AGENTS = 200;
const FIRST_EXTENSION = 1_000;
const FIRST_UNREGISTERED = 5_000;

export const registeredPhones = (): Phone[] => Array.from({ length: MAX_AGENTS }, (_, index) => phone(String(FIRST_EXTENSION + index)));

/** Extension of the n-th agent that a test file creates. */
export const extensionOf = (sequence: number, isRegistered: boolean): string =>
  String((isRegistered ? FIRST_EXTENSION : FIRST_UNREGISTERED) + sequence);

/** A dispatch rig with agents, each with its own user, phone and status. */
export interface AgentRig extends DispatchRig {
  api: DispatchRig['server']['api'];
  /** Creates an agent with a registered phone; its status is `idle` by default. */
  agent(request?: { phone?: Partial<Phone>; status?: 'idle' | 'busy' | 'offline'; [field: string]: unknown }): Promise<TestAgent>;
  statusOf(agentId: number): Promise<string>;
  untilStatusOf(agentId: number, status: string): Promise<void>;
}

export async function startAgentRig(options: Parameters<typeof startDispatchRig>[0] = {}): Promise<AgentRig> {
  const rig = await startDispatchRig({
    ...options,
    phones: registeredPhones(),
    config: { agents: { secretKey: SECRET_KEY }, ...options.config },
  });
  const { server, simulator, token } = rig;
  let sequence = 0;
  const expectOk = async (answering: ReturnType<typeof server.api>) => {
    const answer = await answering;
    if (answer.status !== 200) throw new Error(answer.text);
    return answer;
  };
  const statusOf = async (agentId: number) => {
    const { data } = await expectOk(server.api('GET', '/api/agents', undefined, token));
    const row = (data.agents as { id: number; status: string }[]).find(agent => agent.id === agentId);
    return row?.status ?? 'absent';
  };
  return {
    ...rig,
    api: (method, path, body, asToken = token) => server.api(method, path, body, asToken),
    statusOf,
    untilStatusOf: async (agentId, status) =>
      void (await waitUntil(`agent ${agentId} to be ${status}`, async () => (await statusOf(agentId)) === status, 40_000)),
    async agent({ phone: behaviour, status = 'idle', ...fields } = {}) {
      sequence += 1;
      const extension = extensionOf(sequence, behaviour?.isRegistered !== false);
      simulator.phones.put(extension, { ...phone(extension), ...behaviour });
      const username = `agent-${sequence}`;
      const userId = await server.createUser({ username, password: 'agent-password', role: 'agent' });
      const created = await expectOk(
        server.api('POST', '/api/agents', { name: `坐席 ${sequence}`, phoneExtension: extension, userId, ...fields }, token),
      );
      const id = Number(created.data.agent.id);
      const login = await expectOk(server.api('POST', '/api/auth/login', { username, password: 'agent-password' }));
      if (behaviour?.isRegistered !== false) {
        await waitUntil(
          'the phone to be registered',
          async () => {
            const { data } = await expectOk(server.api('GET', '/api/agents/phone-statuses', undefined, token));
            return (data.rows as { agentId: number; registrationStatus: string }[]).some(
              row => row.agentId === id && row.registrationStatus === 'registered',
            );
          },
          60_000,
        );
        if (status !== 'offline') await expectOk(server.api('PATCH', `/api/agents/${id}/status`, { status }, token));
      }
      return { id, extension, token: String(login.data.token), userId };
    },
  };
}
