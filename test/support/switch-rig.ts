import { connectSwitch } from '#platform/freeswitch/freeswitch.ts';
import type { CellConfig } from '#platform/freeswitch/switch-cell.ts';
import { type SimulatorOptions, startSwitchSimulator, type SwitchSimulator } from '#tools/switch/simulator.ts';
import { DEFAULT_WORLD } from '#tools/switch/world.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import type { OriginateCommand, SwitchEvent, SwitchPhones, SwitchPort, ConferenceSwitch } from '#platform/freeswitch/switch.ts';
import { waitUntil } from './wait-until.ts';

export const PASSWORD = 'secret-of-the-test';

/** A clock that runs `factor` times faster, so that recorded rings and conversations pass quickly. */
export function hastyClock(factor: number): Clock {
  const [wallAt, monotonicAt] = [systemClock.now(), systemClock.monotonic()];
  return {
    now: () => wallAt + (systemClock.now() - wallAt) * factor,
    monotonic: () => monotonicAt + (systemClock.monotonic() - monotonicAt) * factor,
    schedule: (delayMs, task) => systemClock.schedule(delayMs / factor, task),
  };
}

/** Starts a simulated switch whose callees behave according to the last two digits of their number. */
export function startSimulator(change: Partial<SimulatorOptions> = {}): Promise<SwitchSimulator> {
  return startSwitchSimulator({
    host: '127.0.0.1',
    port: 0,
    password: PASSWORD,
    random: seededRandom(1),
    clock: systemClock,
    log: silentLog,
    world: { ...DEFAULT_WORLD, byNumber: true },
    sessionsPerSecond: 1_000,
    eventPollMs: 0,
    ...change,
  });
}

export interface Connected {
  port: SwitchPort & { conferences: ConferenceSwitch; phones: SwitchPhones; close(): Promise<void> };
  events: SwitchEvent[];
  /** Waits for the first event of that kind, of that call if given, at or after index `from`. */
  event<K extends SwitchEvent['kind']>(kind: K, requestId?: string, from?: number): Promise<Extract<SwitchEvent, { kind: K }>>;
}

/** Connects the product's client to one cell and waits until the cell is up. */
export async function connectTo(simulatorPort: number, change: Partial<CellConfig> = {}): Promise<Connected> {
  const client = newClient(simulatorPort, change);
  await client.event('cell_up');
  return client;
}

/** Creates the product's client for one cell without waiting for a connection. */
export function newClient(simulatorPort: number, change: Partial<CellConfig> = {}): Connected {
  const config: CellConfig = {
    id: 'cell-1',
    host: '127.0.0.1',
    port: simulatorPort,
    password: PASSWORD,
    maxConcurrency: 0,
    maxOriginatesPerSecond: 30,
    originateTimeoutSeconds: 30,
    isEnabled: true,
    ...change,
  };
  const port = connectSwitch({ cells: [config], clock: systemClock, random: seededRandom(2), log: silentLog });
  const events: SwitchEvent[] = [];
  port.subscribe(event => events.push(event));
  const event: Connected['event'] = (kind, requestId, from = 0) =>
    waitUntil(`${kind} ${requestId ?? ''}`, () => events.slice(from).find(one => isOf(one, kind, requestId)));
  return { port, events, event };
}

function isOf<K extends SwitchEvent['kind']>(
  event: SwitchEvent,
  kind: K,
  requestId: string | undefined,
): event is Extract<SwitchEvent, { kind: K }> {
  return event.kind === kind && (requestId === undefined || ('requestId' in event && event.requestId === requestId));
}

/** An originate command that may be sent within the next two seconds. */
export function dial(change: Partial<OriginateCommand> = {}): OriginateCommand {
  return {
    cellId: 'cell-1',
    requestId: systemIds(),
    dialStringTemplate: 'sofia/external/{{destinationNumber}}@127.0.0.1:5090',
    destinationNumber: '13800000005',
    callerIdNumber: '02160000000',
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
    timeoutSeconds: 30,
    variables: {},
    sendBefore: systemClock.monotonic() + 2_000,
    ...change,
  };
}
