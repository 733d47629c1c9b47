import { rowsOnly } from '#test/support/rows-only.ts';
import { joinEngine } from '#app/engine.ts';
import { type CallRecord, settleByRecord } from '#calls/settle-by-record.ts';
import { applyResult } from '#calls/apply-result.ts';
import { reportProgress } from '#calls/progress.ts';
import { orderCampaign } from '#campaigns/campaign-actor.ts';
import { changeContactsInBulk } from '#contacts/change-contacts.ts';
import { cancelBatch, dispatchManually } from '#dialling/dispatch-manually.ts';
import { heartbeat, leaveMonitoring } from '#monitoring/presence.ts';
import { systemCaller } from '#kernel/caller.ts';
import type { ClaimRequest } from '#dialling/dial-store.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import type { MonitorRegistry } from '#monitoring/monitor-registry.ts';
import { simulatedContactPause } from '../support/stores/contact-edits.ts';
import { simulatedPendingCount } from '../support/stores/dial-plans.ts';
import { addCampaign, addContact, dialTables } from '../support/stores/dial-tables.ts';
import { simulatedActorStore } from '../support/stores/simulated-actor-store.ts';
import { simulatedCampaignActorStore } from '../support/stores/simulated-campaign-actor-store.ts';
import { simulatedDialStore } from '../support/stores/simulated-dial-store.ts';
import { simulatedMonitorRegistry } from '../support/stores/simulated-monitor-registry.ts';
import { simulatedLocks } from '../support/stores/simulated-locks.ts';
import { simulatedSlotRegistry } from '../support/stores/simulated-slot-registry.ts';
import { CallbackChecks } from './callback-checks.ts';
import { Cell } from './cell.ts';
import { Checks } from './checks.ts';
import { dice } from './dice.ts';
import { simulatedHook } from './hook.ts';
import { believed, switchWithout, waitsWithout, withoutGuard } from './guards.ts';
import { Instance } from './instance.ts';
import { countingIds, type Journal, journal } from './journal.ts';
import { Keepers } from './person-rules/keepers.ts';
import { applyPersonRules } from './person-rules/drawn-rules.ts';
import { People } from './people.ts';
import { simulatedRouter } from './post.ts';
import { faultsOnly, noAudit, noCaptions, quietEvents, readyAgents } from './quiet-ports.ts';
import { RuleHistory } from './rule-history.ts';
import { Runtimes } from './runtime.ts';
import { runtimeLine } from './runtime-line.ts';
import type { Scenario } from './scenario.ts';
import { settingsOf } from './settings.ts';
import { SilenceChecks } from './silence-checks.ts';
import { switchPort } from './switch-line.ts';
import { Timeline } from './timeline.ts';
import { watchedCampaigns, watchedGrants } from './watched-stores.ts';
import { weather } from './weather.ts';
import { Watchers } from './watchers.ts';
import { CACHE, DATABASE, Wire } from './wire.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

/** A Monday, 10:00 in the business zone. */
const STARTS_AT = Date.UTC(2026, 10, 23, 2);
/** Greatest error of a host's clock, ms. */
const MAX_SKEW_MS = 20_000;
const PUMP_INTERVAL_MS = 500;
const NO_PROGRESS = { attemptId: null, seq: 1, runtimeId: null, at: null, nodeId: null, segment: null, intervention: null };
const LOST_WAKES = 0.1;
/** Delay from the end of a call to its record, ms. */
const RECORD_MS = { min: 50, max: 30_000 };

type Engine = ReturnType<typeof joinEngine>;
type Life = ReturnType<typeof compose>;
interface Member {
  instance: Instance;
  life: Life | null;
}

export type World = ReturnType<typeof createWorld>;

/** Everything in one run: stores, cells, users and the instances of the server, all on one timeline. */
export function createWorld(scenario: Scenario, options: { keepsJournal: boolean }) {
  const { seed } = scenario;
  const timeline = new Timeline(STARTS_AT);
  const notes: Journal = journal(timeline.now, options.keepsJournal);
  const climate = weather(dice(seed, 'weather'), scenario.faults, scenario.boost);
  const waits = waitsWithout(scenario.without, scenario.waits);
  const ids = countingIds();

  const tables = dialTables(timeline.now);
  const registry = simulatedSlotRegistry({ now: timeline.now, leaseMs: waits.reservationLeaseMs });
  const monitors = simulatedMonitorRegistry({ now: timeline.now, slots: registry });
  const callStore = simulatedActorStore({ now: timeline.now });
  const locks = simulatedLocks({ now: timeline.now, ids });
  const stores = withoutGuard(scenario.without, {
    tables,
    dials: simulatedDialStore(tables),
    slots: registry,
    callStore,
    campaignStore: simulatedCampaignActorStore(tables),
  });
  const history = new RuleHistory(tables);
  const cells: Cell[] = [];
  const checks = new Checks({ scenario, tables, registry, cells, history, now: timeline.now });
  const hook = simulatedHook({ seed, now: timeline.now, found: (fault, detail) => checks.found(fault, detail) });
  const recordDice = dice(seed, 'records of calls');
  tables.freed = campaignIds => campaignIds.forEach(wakeAll);
  callStore.onCommit((key, commit) => checks.onCallCommit(key, commit));
  callStore.onRemove(key => checks.callsForgotten(key));
  for (const cell of scenario.cells)
    cells.push(
      new Cell({
        ...cell,
        timeline,
        journal: notes,
        weather: climate,
        dice: dice(seed, `people of ${cell.cellId}`),
        dialKeyOf: requestId => tables.byRequest.get(requestId)?.dialKey ?? '',
        onCreated: channel => {
          checks.onChannel(channel);
          if (runtimes.onlyListens) checks.found('I9 dialled for who only listens', channel.requestId);
        },
        onEnded: channel => checks.onEnded(channel),
        onRecord: record => {
          if (record.isSilent) checks.silent.add(record.requestId);
          if (scenario.hasRecords) postRecord(record, recordDice.between(RECORD_MS.min, RECORD_MS.max));
        },
      }),
    );
  fillTables();

  const firstReports = new Map<string, ResultReport>();
  const members: Member[] = Array.from({ length: scenario.instances }, (_, index) => newMember(index));
  const listeners = new Set<{ instance: Instance; life: number; listener: (campaignId: number | null) => void }>();
  const busDice = dice(seed, 'bus');

  function wakeAll(campaignId: number | null): void {
    for (const entry of listeners) {
      if (entry.instance.life !== entry.life) listeners.delete(entry);
      else if (!(climate.isActive && busDice.chance(LOST_WAKES)))
        entry.instance.after(busDice.between(1, 20), () => entry.listener(campaignId));
    }
  }

  const world = {
    scenario,
    timeline,
    notes,
    climate,
    waits,
    ids,
    tables,
    history,
    registry,
    hook,
    monitors,
    locks,
    stores,
    checks,
    cells,
    firstReports,
    listeners,
    wakeAll,
    members,
  };
  const runtimes = new Runtimes({
    timeline,
    weather: climate,
    journal: notes,
    dice: dice(seed, 'runtime'),
    clocks: dice(seed, 'clocks of runtimes'),
    report: report => someLife(life => applyResult(life.resultDeps, believed(scenario.without, report))),
    // Heartbeats reach every instance.
    beat: member =>
      Promise.any(
        members.map(each => {
          const wasPaused = each.instance.isPaused;
          return each.instance.ask(
            // A paused instance treats heartbeats that it finds on resuming as stale (runtimes/freshness.ts).
            () => (each.life && !wasPaused ? each.life.engine.pool.beat(member) : Promise.reject(new Error('down'))),
            () => false,
          );
        }),
      ),
    conducts: dice(seed, 'conducts'),
    callbacks: { dice: dice(seed, 'promises'), share: scenario.promises },
    onForeignResult: requestId => checks.found('I6 result of a hand-over that was never made', requestId),
    tell: (kind, requestId, owner) => someLife(life => reportProgress(life.progressDeps, [{ ...NO_PROGRESS, kind, requestId, ...owner }])),
    hangUp: requestId => cells.forEach(cell => cell.hangUp(requestId, 'NORMAL_CLEARING')),
    isLive: requestId => cells.some(cell => cell.channels.has(requestId)),
  });
  const people = new People({
    timeline,
    weather: climate,
    journal: notes,
    tables,
    history,
    checks,
    stormMs: scenario.stormMs,
    dice: dice(seed, 'office'),
    rig: {
      startCampaign: id => someLife(({ engine }) => orderCampaign({ ...engine, ids }, id, { to: 'running', by: 'somebody' })),
      pauseCampaign: id => someLife(({ engine }) => orderCampaign({ ...engine, ids }, id, { to: 'paused', by: 'somebody' })),
      dispatch: (campaignId, limit) =>
        someLife(life => dispatchManually(life.manualDeps, person(), { campaignId, requestedLimit: limit, effectiveLimit: limit })),
      cancelBatch: (campaignId, batchId) => someLife(life => cancelBatch(life.manualDeps, person(), campaignId, batchId)),
      pauseContact: (campaignId, contactId) =>
        someLife(life => changeContactsInBulk(life.editDeps, person(), 'pause', { campaignId, contactIds: [contactId] })),
      wake: wakeAll,
    },
  });

  const keepers = new Keepers({
    timeline,
    weather: climate,
    journal: notes,
    tables,
    history,
    rules: scenario.persons,
    dice: dice(seed, 'keepers'),
    rig: { wake: wakeAll },
  });

  const watchers = new Watchers({
    timeline,
    weather: climate,
    journal: notes,
    dice: dice(seed, 'monitors'),
    monitors: scenario.monitors,
    campaigns: scenario.campaigns.length,
    rig: {
      beat: (userId, { capacity, campaignId }) =>
        someLife(life => heartbeat({ ...life.watchDeps, callsPerMonitor: capacity }, monitor(userId), { campaignId })),
      leave: userId => someLife(life => leaveMonitoring(life.watchDeps, monitor(userId))),
    },
  });

  const monitor = (userId: number) => ({ ...systemCaller(''), userId, name: `monitor ${userId}` });

  function fillTables(): void {
    for (const line of scenario.lines) tables.lines.set(line.id, line);
    for (const { phoneNumbers, zones = [], rules, ...fields } of scenario.campaigns) {
      const campaign = addCampaign(tables, fields);
      if (rules) tables.outcomeRules.set(campaign.id, rules);
      for (const [index, phoneNumber] of phoneNumbers.entries())
        addContact(tables, { campaignId: campaign.id, phoneNumber, zones: zones[index] ?? null });
    }
    applyPersonRules(tables, scenario.persons);
    history.policiesChanged();
  }

  const person = () => ({ ...systemCaller(ids()), name: 'somebody' });

  const askDice = dice(seed, 'clients');
  function someLife<T>(work: (life: Life) => Promise<T>): Promise<T> {
    const { instance } = askDice.pick(members);
    const member = members.find(candidate => candidate.instance === instance);
    return instance.ask(
      () => (member?.life ? work(member.life) : Promise.reject(new Error('down'))),
      () => climate.strikes('lost_reply'),
    );
  }

  /** Posts a call detail record; the switch keeps it on disk until a server accepts it. */
  function postRecord(record: CallRecord, afterMs: number): void {
    timeline.after(afterMs, () => {
      someLife(life => settleByRecord(life.recordDeps, record)).catch(() => postRecord(record, RECORD_MS.max));
    });
  }

  function newMember(index: number): Member {
    const name = `n${index + 1}`;
    const member: Member = {
      life: null,
      instance: new Instance({
        name,
        timeline,
        journal: notes,
        dice: dice(seed, name),
        skewMs: dice(seed, `${name} skew`).between(-MAX_SKEW_MS, MAX_SKEW_MS),
        boot: instance => {
          member.life = compose(world, runtimes, instance);
        },
      }),
    };
    return member;
  }
  // A process paused by the storm stays part of it: after it resumes, it must first learn which runtimes have died.
  const silence = new SilenceChecks({
    timeline,
    journal: notes,
    cells,
    isReached: cellId =>
      members.some(({ instance, life }) => instance.isUp && !instance.isPaused && life?.lines.some(line => line.reaches(cellId)) === true),
    isServed: requestId => runtimes.serves(requestId),
    failuresOf: requestId => runtimes.failuresOf(requestId),
    isStorm: () => !scenario.isRuntimeOnly && (climate.isActive || members.some(({ instance }) => instance.isPaused)),
  });
  const callbacks = new CallbackChecks({
    timeline,
    tables,
    slotsInUse: () => registry.size,
    isCalm: () => !climate.isActive && members.every(({ instance }) => instance.isUp && !instance.isPaused),
    hasRuntime: businessCode => runtimes.upIds.some(id => registry.trusts(id, businessCode)),
    isKeptBack: contactId => world.hook.keepsBack(contactId),
    wake: wakeAll,
    found: (invariant, detail) => checks.found(invariant, detail),
  });
  return { ...world, runtimes, people, keepers, watchers, callStore, silence, callbacks };
}

type Inside = Omit<ReturnType<typeof createWorld>, 'runtimes' | 'people' | 'keepers' | 'watchers' | 'callStore' | 'silence' | 'callbacks'>;

/** A server process: the product's own engine over ports that may fail. */
function compose(world: Inside, runtimes: Runtimes, instance: Instance) {
  const { scenario, timeline, notes, climate, stores, checks, firstReports } = world;
  const life = dice(scenario.seed, `${instance.name} life ${instance.life}`);
  const wire = new Wire({ timeline, instance, weather: climate, journal: notes, dice: life });
  const lines = switchPort(world.cells, {
    instance,
    timeline,
    weather: climate,
    journal: notes,
    dice: life,
    onWrite: command => checks.onWrite(command),
  });
  const clock = instance.clock();
  const random = life;
  const log = faultsOnly(checks, notes, instance.name);
  const dials = wire.to(DATABASE, {
    ...stores.dials,
    claim: async (request: ClaimRequest) => world.hook.requireAllowed(await stores.dials.claim(request)),
    async applyResult(report: ResultReport) {
      const outcome = await stores.dials.applyResult(report);
      if (outcome.kind === 'applied' && !outcome.duplicate && !firstReports.has(outcome.requestId))
        firstReports.set(outcome.requestId, report);
      return outcome;
    },
  });
  const events = quietEvents(timeline.now);
  const settings = settingsOf(world.waits, instance.name, scenario.batchSize);
  const engine: Engine = joinEngine({
    dials,
    slots: wire.to(CACHE, watchedGrants(world)),
    pool: wire.to(CACHE, world.registry.pool),
    liveCalls: { read: async () => [] },
    mediaOf: () => ({}),
    isInConference: async () => false,
    preDial: world.hook.through(clock),
    monitors: wire.to<MonitorRegistry>(CACHE, world.monitors),
    locks: wire.to(CACHE, world.locks),
    // Moving a journal draws no fault: what a crash leaves of it is tested on the real stores.
    callStore: { ...wire.to(CACHE, stores.callStore), readJournal: id => stores.callStore.readJournal(id) },
    journals: { keep: async (requestId, journal) => checks.onJournal(requestId, journal), find: async () => null },
    campaignStore: wire.to(DATABASE, watchedCampaigns(world)),
    runtime: runtimeLine({ wire, runtimes, clock, without: scenario.without }),
    switchPort: switchWithout(scenario.without, lines),
    actors: simulatedRouter({ ...world, instance, wire, dice: life, log }),
    softphoneCalls: { findOpen: async () => [], listHolding: async () => [] },
    events: wire.to(DATABASE, events),
    wake: { campaign: world.wakeAll },
    listenForWakes(listener) {
      const entry = { instance, life: instance.life, listener };
      world.listeners.add(entry);
      return () => void world.listeners.delete(entry);
    },
    deltas: { publish: () => undefined, subscribe: () => () => undefined },
    clock,
    random,
    ids: world.ids,
    log,
    settings,
    metrics: noMetrics,
    pumpIntervalMs: PUMP_INTERVAL_MS,
  });
  const never = new AbortController().signal;
  engine.run(never, never).catch((error: unknown) => checks.programFault(error));
  return {
    engine,
    lines: lines.lines,
    resultDeps: { ...engine, events, log, clock, settings, liveCalls: noCaptions },
    progressDeps: { ...engine.turnApp, ...engine, clock, settings, db: rowsOnly(), liveCalls: noCaptions },
    recordDeps: { ...engine.turnApp, ...engine, clock, settings, log, wake: { campaign: world.wakeAll } },
    watchDeps: { ...engine, agentDirectory: readyAgents, clock, log },
    editDeps: {
      ...engine,
      audit: noAudit,
      contacts: wire.to(
        DATABASE,
        simulatedContactPause(world.tables, contactId => world.history.contactPaused(contactId, true)),
      ),
      log,
    },
    manualDeps: { ...engine.turnApp, audit: noAudit, contacts: simulatedPendingCount(world.tables), events },
  };
}
