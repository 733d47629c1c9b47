import type { RegistrationStatus } from './agent.ts';
import { sleep } from '#kernel/clock.ts';
import type { SwitchPort, SwitchPhones } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';

/** This instance's view of the phones registered at every cell. */
export interface PhoneRegistry {
  /** `cellId` null means any cell. */
  registration(extension: string, cellId: string | null): RegistrationStatus;
  /** Returns the cell and realm where the phone can be called now; null when there is none. */
  locate(extension: string, cellId: string | null): { cellId: string; realm: string } | null;
  cells(): readonly PhoneCell[];
  /** Reads a cell again; resolves once the reading has ended, successful or not. */
  refresh(cellId: string): Promise<void>;
  /** Keeps the registry up to date until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface PhoneCell {
  cellId: string;
  /** Whether the cell answers. */
  isReachable: boolean;
  extensions: readonly string[];
}

export interface PhoneRegistryOptions extends Pick<Platform, 'clock' | 'log'> {
  switchPort: Pick<SwitchPort, 'cells' | 'subscribe'>;
  phones: SwitchPhones;
}

/** Interval of full readings, which make up for lost events, in ms. */
const RECONCILE_MS = 10_000;
/** Delay that merges many registrations at once into one reading, in ms. */
const HINT_DELAY_MS = 200;

/**
 * Registry of phones, read from the switch when a cell comes up, when it reports a registration, and at an interval; a cell that stops
 * answering is removed.
 *
 * Why:    the switch owns the registrations, and a view that every instance reads itself is never out of date for long
 * Source: OCS 2.13 "Phone registration status", test/fixtures/esl/README.md §4
 */
export function createPhoneRegistry(options: PhoneRegistryOptions): PhoneRegistry {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const reading = new Map<string, Promise<void>>();
  const hinted = new Set<string>();

  const read = async (cellId: string) => {
    try {
      const registrations = await options.phones.registrations(cellId);
      known.set(cellId, new Map(registrations.map(({ extension, realm }) => [extension, realm])));
    } catch (error) {
      known.delete(cellId);
      options.log.debug({ err: error, cellId }, 'registrations could not be read: unknown until the cell answers');
    }
  };
  /** Reads one at a time; a request during a reading gets the result of a reading that starts after the request. */
  const refresh = (cellId: string): Promise<void> => {
    const next = (reading.get(cellId) ?? Promise.resolve()).then(() => read(cellId));
    reading.set(cellId, next);
    return next;
  };
  const hint = (cellId: string) => {
    if (hinted.has(cellId)) return;
    hinted.add(cellId);
    options.clock.schedule(HINT_DELAY_MS, () => {
      hinted.delete(cellId);
      void refresh(cellId);
    });
  };
  const enabled = () => options.switchPort.cells().filter(cell => cell.isEnabled);
  const cellsToQuery = (cellId: string | null) => enabled().filter(cell => cellId === null || cell.cellId === cellId);

  return {
    registration(extension, cellId) {
      if (extension === '') return 'unconfigured';
      const cells = cellsToQuery(cellId);
      if (cells.some(cell => known.get(cell.cellId)?.has(extension))) return 'registered';
      return cells.length > 0 && cells.every(cell => known.has(cell.cellId)) ? 'unregistered' : 'unknown';
    },
    locate(extension, cellId) {
      for (const cell of cellsToQuery(cellId)) {
        const realm = cell.state === 'up' ? known.get(cell.cellId)?.get(extension) : undefined;
        if (realm !== undefined) return { cellId: cell.cellId, realm };
      }
      return null;
    },
    cells: () =>
      enabled().map(({ cellId }) => ({ cellId, isReachable: known.has(cellId), extensions: [...(known.get(cellId)?.keys() ?? [])] })),
    refresh,
    async run(signal) {
      const stopEvents = options.switchPort.subscribe(event => {
        if (event.kind === 'cell_up') void refresh(event.cellId);
        if (event.kind === 'cell_down') known.delete(event.cellId);
      });
      const stopHints = options.phones.onRegistration(({ cellId }) => hint(cellId));
      while (!signal.aborted) {
        const cells = enabled();
        for (const { cellId, state } of cells) if (state !== 'up') known.delete(cellId);
        await Promise.all(cells.filter(({ state }) => state === 'up').map(({ cellId }) => refresh(cellId)));
        await sleep(options.clock, RECONCILE_MS, signal);
      }
      stopHints();
      stopEvents();
    },
  };
}
