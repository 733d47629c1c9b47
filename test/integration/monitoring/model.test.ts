import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isOpen } from '#actors/intervention/take-over.ts';
import { isLive } from '#actors/call/stage.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { endPresence, HUNG_UP, type Instance, monitoringInstance, monitoringRig, presence, readRegistry } from './rig.ts';

const rig = monitoringRig();

const USERS = [1, 2, 3];
const MAX_CALLS = 6;

/** Expected state: the intervention of each call after one commit at a time. */
interface Model {
  calls: { isLive: boolean; asked: 'none' | 'requested' | 'transferring'; id: string; initiator: number }[];
}

interface Real {
  instances: readonly [Instance, Instance];
  ids: string[];
  /** Committed versions by call. */
  versions: Map<string, number[]>;
}

type Command = fc.AsyncCommand<Model, Real>;

/** Waits until both instances are idle. */
async function settle({ instances }: Real): Promise<void> {
  for (const { host } of instances) await host.idle();
  for (const { host } of instances.toReversed()) await host.idle();
}

/** Checks I7: one primary monitor, alive, within capacity; the registry and the calls agree. */
async function checkRegistry(real: Real): Promise<void> {
  const registry = await readRegistry(rig.redis);
  const owners = new Map<string, number>();
  for (const [user, calls] of registry.assigned) {
    const bound = calls.filter(call => registry.pinned.has(call));
    for (const call of calls) {
      expect(owners.has(call)).toBe(false);
      owners.set(call, user);
      expect(registry.alive.has(user) || registry.pinned.has(call)).toBe(true);
    }
    const free = calls.filter(call => !bound.includes(call) && call !== registry.focus.get(user));
    expect(free.length).toBeLessThanOrEqual(registry.alive.get(user) ?? 0);
    if (registry.focus.has(user)) expect(free).toEqual([]);
  }
  for (const call of registry.waiting) expect(owners.has(call)).toBe(false);
  await checkCalls(real, owners, new Set(registry.waiting));
}

async function checkCalls(real: Real, owners: ReadonlyMap<string, number>, waiting: ReadonlySet<string>): Promise<void> {
  const [{ host }] = real.instances;
  for (const id of real.ids) {
    const call = await host.find(id);
    if (!call) throw new Error('a call has vanished');
    if (!isLive(call.state)) {
      expect(owners.has(id) || waiting.has(id)).toBe(false);
      expect(isOpen(call.state.intervention)).toBe(false);
      continue;
    }
    expect(call.state.context.watch?.monitor?.userId ?? null).toBe(owners.get(id) ?? null);
    // I8: every version was published once, and none is missing.
    const told = [...(real.versions.get(id) ?? [])].sort((a, b) => a - b);
    expect(told).toEqual(Array.from({ length: call.version }, (_, index) => index + 1));
  }
}

class Step implements Command {
  readonly #name: string;
  readonly #when: (model: Model) => boolean;
  readonly #what: (model: Model, real: Real) => Promise<void>;

  constructor(name: string, when: (model: Model) => boolean, what: (model: Model, real: Real) => Promise<void>) {
    this.#name = name;
    this.#when = when;
    this.#what = what;
  }

  check(model: Readonly<Model>): boolean {
    return this.#when(model);
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#what(model, real);
    await settle(real);
    await checkRegistry(real);
  }

  toString(): string {
    return this.#name;
  }
}

const callAt = (model: Model, place: number) => model.calls[place % Math.max(1, model.calls.length)];
const idAt = (real: Real, place: number) => real.ids[place % real.ids.length] ?? '';
const liveAt = (place: number) => (model: Model) => callAt(model, place)?.isLive === true;

const answer = (at: number, priority: number) =>
  new Step(
    `answer(${at}, ${priority})`,
    model => model.calls.length < MAX_CALLS,
    async (model, { instances, ids }) => {
      ids.push(await (instances[at] ?? instances[0]).answer({ priority }));
      model.calls.push({ isLive: true, asked: 'none', id: '', initiator: 0 });
    },
  );

const beat = (at: number, user: number, capacity: number) =>
  new Step(
    `beat(${at}, ${user}, ${capacity})`,
    () => true,
    async (_model, { instances }) => (instances[at] ?? instances[0]).beat(user, { capacity }),
  );

const leave = (user: number) =>
  new Step(
    `leave(${user})`,
    () => true,
    async (_model, { instances }) => instances[0].leave(user),
  );

const expire = (user: number) =>
  new Step(
    `expire(${user})`,
    () => true,
    async (_model, { instances }) => {
      await endPresence(rig.redis, user);
      await Promise.all(instances.map(instance => instance.tick()));
    },
  );

const release = (user: number, place: number) =>
  new Step(`release(${user}, ${place})`, liveAt(place), async (_model, real) => {
    const [{ monitors, placed }] = real.instances;
    await placed(await monitors.release(user, idAt(real, place)));
  });

/** All users claim at once, at both instances: exactly one wins, and only where none had won. */
const claimAll = (place: number) =>
  new Step(`claimAll(${place})`, liveAt(place), async (model, real) => {
    const call = callAt(model, place);
    const claims = USERS.flatMap(userId => real.instances.map(instance => ({ userId, instance, id: randomUUID() })));
    const outcomes = await Promise.all(
      claims.map(({ userId, instance, id }) =>
        instance.send(idAt(real, place), { type: 'interventionClaimed', id, userId, agentId: null, isSupervisor: true, at: 1 }),
      ),
    );
    const winners = claims.filter((_, index) => outcomes[index]?.kind === 'applied');
    expect(winners).toHaveLength(call?.asked === 'none' ? 1 : 0);
    const [winner] = winners;
    if (call && winner) Object.assign(call, { asked: 'requested', id: winner.id, initiator: winner.userId });
  });

/** A cancel and a consume at once at two instances: one commit decides, and both get its outcome. */
const cancelAgainstConsume = (place: number) =>
  new Step(`cancelAgainstConsume(${place})`, liveAt(place), async (model, real) => {
    const call = callAt(model, place);
    if (!call) return;
    const [one, other] = real.instances;
    const requestId = idAt(real, place);
    const [cancelled, consumed] = await Promise.all([
      one.send(requestId, { type: 'interventionCancelled', userId: call.initiator, at: 2 }),
      other.send(requestId, { type: 'interventionConsumed', id: call.id, at: 2 }),
    ]);
    const applied = [cancelled.kind, consumed.kind].filter(kind => kind === 'applied').length;
    expect(applied).toBe(call.asked === 'requested' ? 1 : 0);
    if (cancelled.kind === 'applied') call.asked = 'none';
    if (consumed.kind === 'applied') call.asked = 'transferring';
  });

const cancel = (place: number) =>
  new Step(`cancel(${place})`, liveAt(place), async (model, real) => {
    const call = callAt(model, place);
    const { kind } = await real.instances[1].send(idAt(real, place), {
      type: 'interventionCancelled',
      userId: call?.initiator ?? 0,
      at: 2,
    });
    expect(kind).toBe(call?.asked === 'requested' ? 'applied' : 'ignored');
    if (call && kind === 'applied') call.asked = 'none';
  });

const finish = (place: number, status: 'ended' | 'failed') =>
  new Step(`finish(${place}, ${status})`, liveAt(place), async (model, real) => {
    const call = callAt(model, place);
    if (!call || call.id === '') return;
    const notice = { type: 'interventionNoticed', id: call.id, status, agentId: null, reason: null, at: 3 } as const;
    const { kind } = await real.instances[0].send(idAt(real, place), notice);
    expect(kind).toBe(call.asked === 'none' ? 'ignored' : 'applied');
    call.asked = 'none';
  });

const hangUp = (place: number) =>
  new Step(`hangUp(${place})`, liveAt(place), async (model, real) => {
    await Promise.all(real.instances.map(instance => instance.send(idAt(real, place), HUNG_UP)));
    const call = callAt(model, place);
    if (call) Object.assign(call, { isLive: false, asked: 'none' });
  });

const place = fc.nat(MAX_CALLS - 1);
const user = fc.constantFrom(...USERS);
const at = fc.nat(1);

const COMMANDS = [
  fc.tuple(at, fc.nat(3)).map(([a, p]) => answer(a, p)),
  fc.tuple(at, user, fc.nat(3)).map(([a, u, c]) => beat(a, u, c)),
  fc.tuple(at, user, fc.nat(3)).map(([a, u, c]) => beat(a, u, c)),
  user.map(leave),
  user.map(expire),
  fc.tuple(user, place).map(([u, p]) => release(u, p)),
  place.map(claimAll),
  place.map(claimAll),
  place.map(cancelAgainstConsume),
  place.map(cancel),
  fc.tuple(place, fc.constantFrom('ended' as const, 'failed' as const)).map(([p, status]) => finish(p, status)),
  place.map(hangUp),
];

test('whatever users, runtime and customers do in whatever order, from two instances: I7 and I8 hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40 }), async commands => {
      await rig.redis.run(client => client.flushdb());
      const versions = new Map<string, number[]>();
      const note = (id: string, version: number) => void versions.set(id, [...(versions.get(id) ?? []), version]);
      const instances = [monitoringInstance(rig.redis, note), monitoringInstance(rig.redis, note)] as const;
      await fc.asyncModelRun(() => ({ model: { calls: [] }, real: { instances, ids: [], versions } }), commands);
    }),
    { numRuns: 20 },
  );
}, 120_000);

test('one instance finishes what another left half done: instances die between registry and call', async () => {
  const { one, other } = rig;
  const calls = [await one.answer(), await one.answer()];
  await one.monitors.beat(presence(1));
  await one.monitors.leave(1);
  await one.monitors.beat(presence(2));
  await waitUntil('the calls to hear of their last monitor', async () => {
    await other.tick();
    const states = await Promise.all(calls.map(id => other.host.find(id)));
    return states.every(call => call?.state.context.watch?.monitor?.userId === 2);
  });
  expect((await readRegistry(rig.redis)).assigned.get(2)).toHaveLength(2);
});
