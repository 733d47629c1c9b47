import { type Random, randomInt, randomPick, seededRandom } from '#kernel/random.ts';

/** A service that each server reaches through its own proxy. */
export type Service = 'postgres' | 'redis' | 'nats' | 'cell-1' | 'cell-2';

export const SERVICES = ['postgres', 'redis', 'nats', 'cell-1', 'cell-2'] as const satisfies readonly Service[];
export const CELLS = ['cell-1', 'cell-2'] as const;
export const SERVERS = [0, 1] as const;
export const RUNTIMES = [0, 1, 2] as const;

/** Units: `forMs`, `downMs`, `delayMs` ms */
export type Fault =
  | { kind: 'server.kill'; server: number; downMs: number }
  | { kind: 'redis.restart'; keepsData: boolean; downMs: number }
  | { kind: 'redis.flush' }
  | { kind: 'nats.restart'; downMs: number }
  | { kind: 'postgres.restart'; downMs: number }
  | { kind: 'wire.slow'; server: number; service: Service; delayMs: number; forMs: number }
  | { kind: 'wire.cut'; server: number; service: Service; forMs: number }
  | { kind: 'wire.vanish'; server: number; service: Service; forMs: number }
  | { kind: 'wire.reset'; server: number; service: Service }
  | { kind: 'cell.freeze'; cell: string; forMs: number }
  | { kind: 'cell.drop'; cell: string }
  | { kind: 'cell.kill'; cell: string; downMs: number }
  | { kind: 'cell.loseReplies'; cell: string; count: number }
  | { kind: 'cell.loseEvents'; cell: string; count: number }
  | { kind: 'cell.duplicateEvents'; cell: string; count: number }
  | { kind: 'cell.swapEvents'; cell: string; count: number }
  | { kind: 'runtime.kill'; runtime: number; downMs: number }
  | { kind: 'runtime.killAll'; downMs: number }
  | { kind: 'runtime.slow'; runtime: number; forMs: number }
  | { kind: 'runtime.fill'; runtime: number; forMs: number };

/** One or two simultaneous faults after a calm period. */
export interface PlannedFault {
  calmMs: number;
  faults: readonly Fault[];
}

type Make = (random: Random) => Fault;

const server = (random: Random) => randomPick(random, SERVERS);
const cell = (random: Random) => randomPick(random, CELLS);
const service = (random: Random) => randomPick(random, SERVICES);
const down = (random: Random) => randomInt(random, 100, 2_500);
const lasting = (random: Random) => randomInt(random, 1_000, 6_000);
const runtime = (random: Random) => randomPick(random, RUNTIMES);
const many = (random: Random) => randomInt(random, 5, 60);

const MAKERS: Readonly<Record<Fault['kind'] | 'redis.lose', Make>> = {
  'server.kill': random => ({ kind: 'server.kill', server: server(random), downMs: down(random) }),
  'redis.restart': random => ({ kind: 'redis.restart', keepsData: true, downMs: down(random) }),
  'redis.lose': random => ({ kind: 'redis.restart', keepsData: false, downMs: down(random) }),
  'redis.flush': () => ({ kind: 'redis.flush' }),
  'nats.restart': random => ({ kind: 'nats.restart', downMs: down(random) }),
  'postgres.restart': random => ({ kind: 'postgres.restart', downMs: down(random) }),
  'wire.slow': random => ({
    kind: 'wire.slow',
    server: server(random),
    service: service(random),
    delayMs: randomInt(random, 20, 400),
    forMs: lasting(random),
  }),
  'wire.cut': random => ({ kind: 'wire.cut', server: server(random), service: service(random), forMs: lasting(random) }),
  'wire.vanish': random => ({ kind: 'wire.vanish', server: server(random), service: service(random), forMs: lasting(random) }),
  'wire.reset': random => ({ kind: 'wire.reset', server: server(random), service: service(random) }),
  'cell.freeze': random => ({ kind: 'cell.freeze', cell: cell(random), forMs: lasting(random) }),
  'cell.drop': random => ({ kind: 'cell.drop', cell: cell(random) }),
  'cell.kill': random => ({ kind: 'cell.kill', cell: cell(random), downMs: down(random) }),
  'cell.loseReplies': random => ({ kind: 'cell.loseReplies', cell: cell(random), count: randomInt(random, 1, 5) }),
  'cell.loseEvents': random => ({ kind: 'cell.loseEvents', cell: cell(random), count: many(random) }),
  'cell.duplicateEvents': random => ({ kind: 'cell.duplicateEvents', cell: cell(random), count: many(random) }),
  'cell.swapEvents': random => ({ kind: 'cell.swapEvents', cell: cell(random), count: many(random) }),
  'runtime.kill': random => ({ kind: 'runtime.kill', runtime: runtime(random), downMs: down(random) }),
  'runtime.killAll': random => ({ kind: 'runtime.killAll', downMs: down(random) }),
  'runtime.slow': random => ({ kind: 'runtime.slow', runtime: runtime(random), forMs: lasting(random) }),
  'runtime.fill': random => ({ kind: 'runtime.fill', runtime: runtime(random), forMs: lasting(random) }),
};

const NAMES = Object.keys(MAKERS) as (keyof typeof MAKERS)[];

/** The calm before a fault, ms; longer than the 5 s limit of a recovery, which is measured in it. */
const MIN_CALM_MS = 5_500;
const MAX_CALM_MS = 8_000;
/** The first calm, ms; it shows the normal dialling rate. */
const FIRST_CALM_MS = 6_000;
/** Share of steps with a second fault at the same time. */
const PAIR_SHARE = 0.2;
/** Approximate duration of a fault with its calm, ms. */
const STEP_MS = 9_000;

/** Fault names accepted by `--only`. */
export const FAULT_NAMES: readonly string[] = NAMES;

/** Plans every kind of fault in `only` once, in an order drawn from the seed, then random ones: as many as fit into `minutes`. */
export function longPlan(seed: number, minutes: number, only: readonly string[] = NAMES): PlannedFault[] {
  const random = seededRandom(seed);
  const chosen = NAMES.filter(name => only.includes(name));
  const count = Math.max(1, Math.floor((minutes * 60_000 - FIRST_CALM_MS) / STEP_MS));
  const first = shuffled(random, chosen).slice(0, count);
  const names = [...first, ...Array.from({ length: count - first.length }, () => randomPick(random, chosen))];
  return names.map((name, index) => ({
    calmMs: index === 0 ? FIRST_CALM_MS : randomInt(random, MIN_CALM_MS, MAX_CALM_MS),
    faults: [MAKERS[name](random), ...(random.next() < PAIR_SHARE ? [beside(random, name)] : [])],
  }));
}

/** Draws a fault of another part, because a part cannot be killed while it restarts. */
function beside(random: Random, name: keyof typeof MAKERS): Fault {
  const part = name.split('.')[0];
  const others = NAMES.filter(other => other.split('.')[0] !== part);
  return MAKERS[randomPick(random, others)](random);
}

/** One short fault for each part of the system, as many as a test run has time for. */
const SHORT: readonly (keyof typeof MAKERS)[] = [
  'server.kill',
  'redis.lose',
  'nats.restart',
  'postgres.restart',
  'wire.vanish',
  'cell.freeze',
  'runtime.kill',
];
const SHORT_CALM_MS = 4_000;
const SHORT_FAULT_MS = 1_500;

export function shortPlan(seed: number): PlannedFault[] {
  const random = seededRandom(seed);
  return shuffled(random, SHORT).map((name, index) => ({
    calmMs: index === 0 ? FIRST_CALM_MS : SHORT_CALM_MS,
    faults: [shortened(MAKERS[name](random))],
  }));
}

function shortened(fault: Fault): Fault {
  if ('downMs' in fault) return { ...fault, downMs: Math.min(fault.downMs, SHORT_FAULT_MS) };
  return 'forMs' in fault ? { ...fault, forMs: Math.min(fault.forMs, SHORT_FAULT_MS) } : fault;
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map(item => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** Description of a fault, such as `server.kill server=1 downMs=420`. */
export function describeFault({ kind, ...details }: Fault): string {
  return [kind, ...Object.entries(details).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
