import { dice } from './dice.ts';
import type { World } from './world.ts';

const CUT_MS = { min: 500, max: 60_000 };
const CELL_DOWN_MS = { min: 300, max: 15_000 };
/** Highest numbers of these events in one run. */
const MAX_WIPES = 4;
const MAX_CUTS = 8;
const MAX_CELL_RESTARTS = 3;
const MAX_RUNTIME_KILLS = 4;
const MAX_CARRIER_DEATHS = 2;
const CARRIER_DEAD_MS = { min: 20_000, max: 100_000 };
/** Time within which a cache that crashed often crashes again, ms. */
const SECOND_WIPE_MS = 20_000;

/** Schedules the major faults of a run: wiped caches, cut connections, dead cells. */
export function scheduleStorm(world: World): { wipes: number; cuts: number } {
  const { scenario, timeline, climate, members, cells, notes } = world;
  const draw = dice(scenario.seed, 'storm');
  const done = { wipes: 0, cuts: 0 };
  const sometime = (task: () => void) => timeline.after(draw.between(1_000, scenario.stormMs - 1_000), () => climate.isActive && task());
  const times = (most: number, rate: number) => Math.round(draw.next() * most * rate);

  function wipe(): void {
    notes.write(() => 'the cache is WIPED');
    done.wipes += 1;
    world.registry.wipe();
    world.monitors.wipe();
    world.callStore.wipe();
    world.locks.wipe();
    world.checks.callsForgotten(null);
    world.silence.cacheLost();
  }

  for (let index = times(MAX_WIPES, climate.of('wipe')); index > 0; index--)
    sometime(() => {
      wipe();
      if (draw.chance(0.5)) timeline.after(draw.between(1, SECOND_WIPE_MS), () => climate.isActive && wipe());
    });
  for (let index = times(MAX_CUTS, climate.of('cut')); index > 0; index--)
    sometime(() => {
      done.cuts += 1;
      const cell = draw.pick(cells);
      const forMs = draw.between(CUT_MS.min, CUT_MS.max);
      // One instance, or all of them.
      const cutOff = draw.chance(0.5) ? [draw.pick(members)] : members;
      for (const { life } of cutOff) life?.lines.find(line => line.state.cellId === cell.id)?.cut(forMs);
    });
  for (let index = times(MAX_CELL_RESTARTS, climate.of('cell_restart')); index > 0; index--)
    sometime(() => {
      const cell = draw.pick(cells);
      if (!cell.isUp) return;
      cell.kill();
      for (const { life } of members) life?.lines.find(line => line.state.cellId === cell.id)?.reset();
      timeline.after(draw.between(CELL_DOWN_MS.min, CELL_DOWN_MS.max), () => cell.revive());
    });
  for (let index = times(MAX_RUNTIME_KILLS, climate.of('runtime_kill')); index > 0; index--) sometime(() => world.runtimes.kill());
  for (let index = times(MAX_CARRIER_DEATHS, climate.of('dead_carrier')); index > 0; index--)
    sometime(() => {
      // The carrier of one switch, or of all.
      const deaf = draw.chance(0.5) ? [draw.pick(cells)] : cells;
      const kind = draw.pick(['silent', 'refusing'] as const);
      notes.write(() => `the carrier of ${deaf.map(cell => cell.id).join()} is ${kind}`);
      for (const cell of deaf) cell.carrier = kind;
      timeline.after(draw.between(CARRIER_DEAD_MS.min, CARRIER_DEAD_MS.max), () => {
        for (const cell of deaf) cell.carrier = 'alive';
      });
    });
  return done;
}
