import { sql } from 'kysely';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { AGENT_SPACE } from '#platform/redis/keys.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import { agentAggregate, type AgentState, findPresence, sendToAgent } from '#agents/agent-actor.ts';
import type { Role } from '#kernel/caller.ts';
import type { PhoneManner } from '#tools/switch/phone.ts';
import { extensionOf, registeredPhones, type TestAgent } from './agent-rig.ts';
import { CELL, type DispatchRig, everybody, numbers, startDispatchRig, SWITCH_PASSWORD } from './dispatch-rig.ts';
import type { ConfigOverrides } from './server.ts';
import { type Connected, connectTo, dial } from './switch-rig.ts';
import { waitUntil } from './wait-until.ts';

export interface LiveCustomer {
  requestId: string;
  attemptId: number;
  campaignId: number;
}

export interface ConferenceRig extends DispatchRig {
  /** An idle agent with a registered phone and its own user. */
  agent(phone?: {
    manner?: PhoneManner;
    ringMs?: number;
    talkMs?: number | null;
    status?: 'idle' | 'offline';
    registered?: boolean;
    role?: Role;
  }): Promise<TestAgent>;
  /** Puts every agent offline, so that each test uses only its own agents. */
  sendAgentsHome(): Promise<void>;
  stageOf(agentId: number): Promise<string>;
  /** A customer who has answered and stays on the line. */
  customer(): Promise<LiveCustomer>;
  route(customer: LiveCustomer, more?: object): ReturnType<DispatchRig['server']['internal']>;
  // oxlint-disable-next-line typescript/no-explicit-any
  session(conferenceId: number): Promise<any>;
  untilLive(conferenceId: number): Promise<void>;
  untilEnded(conferenceId: number): Promise<void>;
  /** Dials the service number from the agent's browser: the switch joins the call to the conference `<name>@<profile>` of the header. */
  dialIn(agent: TestAgent, conference: string): Promise<void>;
  /** Takes a live channel out of its conference without hanging it up, as an action outside the server. */
  takeOut(channelUuid: string): Promise<void>;
  /** Ends a channel at the switch with the given hang-up cause. */
  lose(channelUuid: string, cause: string): Promise<void>;
  /** Caller number of a live channel; undefined when there is no such channel. */
  callerOf(channelUuid: string): string | undefined;
  /** Whether a channel is unmuted in its conference; undefined when it is not in a conference of this name. */
  isHeard(conferenceName: string, channelUuid: string): Promise<boolean | undefined>;
  /** UUIDs of the open channels at the switch. */
  openChannels(): string[];
}

/** Time limit for sending a dial, ms; long enough that a stalled test machine sends none too late. */
const SEND_WITHIN_MS = 30_000;

/** An agent host over the real stores; it makes agents idle as a login and a status change would. */
export function agentHostOf(server: DispatchRig['server']) {
  const host = new ActorHost<AgentState, AgentEvent>(
    {
      store: redisActorStore(server.running.context.redis, AGENT_SPACE),
      clock: systemClock,
      random: systemRandom,
      ids: systemIds,
      log: silentLog,
    },
    { aggregate: agentAggregate(), executors: { recordState: async () => undefined } },
  );
  return {
    choose: (agentId: number, status: 'idle' | 'offline') =>
      sendToAgent(host, agentId, { type: 'statusChosen', status, at: systemClock.now() }, systemIds()),
    stageOf: async (agentId: number): Promise<string> => (await findPresence(host, agentId))?.stage ?? 'offline',
  };
}

/** Stages in which nobody holds an agent. */
const FREE: ReadonlySet<string> = new Set(['idle', 'offline', 'busy']);

/** Starts a dispatch rig with customers who talk for 10 minutes and with agents whose phones the test controls. */
export async function startConferenceRig(
  config: ConfigOverrides = {},
  options: Pick<NonNullable<Parameters<typeof startDispatchRig>[0]>, 'maxOriginatesPerSecond' | 'playsRuntime'> = {},
): Promise<ConferenceRig> {
  const rig = await startDispatchRig({
    ...options,
    phones: registeredPhones(),
    world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }),
    config: { conferences: { ringTimeoutSeconds: 20, reconcileIntervalMs: 500 }, ...config },
  });
  const { server, simulator } = rig;
  const { database } = server.running.context;
  const { choose, stageOf } = agentHostOf(server);
  const agents: number[] = [];
  /** Runs `act` over a second connection to the switch, as another client of the switch. */
  const atSwitch = async <T>(act: (hand: Connected) => Promise<T>): Promise<T> => {
    const hand = await connectTo(simulator.port, { id: CELL, password: SWITCH_PASSWORD });
    try {
      return await act(hand);
    } finally {
      await hand.port.close();
    }
  };
  let next = 0;
  const session = async (conferenceId: number) =>
    (await server.api('GET', `/api/conference-sessions/${conferenceId}`, undefined, rig.token)).data;
  const untilStatus = async (conferenceId: number, status: string) => {
    await waitUntil(`conference ${conferenceId} to be ${status}`, async () => (await session(conferenceId)).session.status === status);
  };
  return {
    ...rig,
    session,
    async agent({ manner = 'answers', ringMs = 20, talkMs = null, status = 'idle', registered = true, role = 'agent' } = {}) {
      next += 1;
      const [extension, username] = [extensionOf(next, registered), `agent-${next}`];
      simulator.phones.put(extension, { manner, ringMs, talkMs });
      const userId = await server.createUser({ username, password: 'test-password', role });
      const row = await database.first(sql<{ id: number }>`
        insert into agent (name, phone_extension, user_id) values (${`坐席${next}`}, ${extension}, ${userId}) returning id`);
      const id = row?.id ?? 0;
      agents.push(id);
      await choose(id, status);
      const login = await server.api('POST', '/api/auth/login', { username, password: 'test-password' });
      return { id, userId, extension, token: String(login.data.token) };
    },
    async sendAgentsHome() {
      for (const id of agents.splice(0)) {
        await waitUntil(`agent ${id} to be free`, async () => {
          const stage = await stageOf(id);
          if (!FREE.has(stage)) throw new Error(`in stage ${stage}`);
          return true;
        });
        await choose(id, 'offline');
      }
    },
    stageOf,
    async customer() {
      next += 1;
      const { id } = await rig.campaign({ contacts: numbers(1, 13_700_000_000 + next * 1_000) });
      await rig.start(id);
      const attempt = await waitUntil('the customer to answer', async () =>
        (await rig.attempts(id)).find(row => row.status === 'answered'),
      );
      return { requestId: attempt.requestId, attemptId: attempt.id, campaignId: id };
    },
    route: (customer, more = {}) =>
      server.internal('POST', '/api/transfers/route', { requestId: customer.requestId, customerUuid: customer.requestId, ...more }),
    untilLive: id => untilStatus(id, 'live'),
    untilEnded: id => untilStatus(id, 'ended'),
    async dialIn(agent, conference) {
      const [name = '', profile = ''] = conference.split('@');
      const call = dial({
        cellId: CELL,
        dialStringTemplate: 'user/{{destinationNumber}}@127.0.0.1',
        destinationNumber: agent.extension,
        callerIdNumber: null,
        conference: { name, profile },
        sendBefore: systemClock.monotonic() + SEND_WITHIN_MS,
      });
      await atSwitch(({ port }) => port.originate(call));
    },
    takeOut: channelUuid =>
      atSwitch(async ({ port }) => {
        await port.conferences.park(CELL, channelUuid);
        // The switch replies before it moves the channel.
        await waitUntil('the channel to be out', async () =>
          (await port.channels(CELL)).every(({ uuid, isInConference }) => uuid !== channelUuid || !isInConference),
        );
      }),
    lose: (channelUuid, cause) => atSwitch(async ({ port }) => void (await port.hangup(CELL, channelUuid, cause))),
    callerOf: channelUuid =>
      simulator.record().channels.find(({ uuid }) => uuid === channelUuid)?.variables['origination_caller_id_number'],
    isHeard: (conferenceName, channelUuid) =>
      atSwitch(async ({ port }) => {
        const members = await port.conferences.members(CELL, conferenceName);
        return members?.find(member => member.channelUuid === channelUuid)?.canSpeak;
      }),
    openChannels: () =>
      simulator
        .record()
        .channels.filter(channel => channel.endedAt === null)
        .map(channel => channel.uuid),
  };
}
