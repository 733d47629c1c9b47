import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { type IdSource, systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import { attend } from './attendance.ts';
import { conferenceSwitch } from './conference-switch.ts';
import { readRows } from './status-commands.ts';
import { type CellConfig, SwitchCell, type SwitchMetrics } from './switch-cell.ts';
import type { ConferenceSwitch, Registration, SwitchEvent, SwitchPhones, SwitchPort } from './switch.ts';

const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;

/** Phones registered at a cell. Source: test/fixtures/esl/README.md §4 "show registrations as json" */
async function readRegistrations(cell: Pick<SwitchCell, 'api' | 'state'>): Promise<Registration[]> {
  const rows = readRows(await cell.api('show registrations as json'));
  if (rows === null) throw notUnderstood(cell);
  return rows.flatMap(({ reg_user: extension, realm }) =>
    typeof extension === 'string' && extension !== '' ? [{ extension, realm: typeof realm === 'string' ? realm : '' }] : [],
  );
}

/** Bridges two answered channels. Source: test/fixtures/esl/README.md §4 "uuid_bridge" */
async function bridgeChannels(
  cell: Pick<SwitchCell, 'api' | 'state'>,
  firstUuid: string,
  secondUuid: string,
): Promise<'bridged' | 'absent'> {
  for (const uuid of [firstUuid, secondUuid]) {
    if (!CHANNEL_ID.test(uuid)) throw new CalloutError('INVALID_ARGUMENT', '参数错误：通道标识格式不正确');
  }
  const answer = await cell.api(`uuid_bridge ${firstUuid} ${secondUuid}`);
  if (answer.startsWith('+OK')) return 'bridged';
  if (/^-ERR (?:Invalid uuid|No such channel)/i.test(answer)) return 'absent';
  throw notUnderstood(cell);
}

function notUnderstood(cell: Pick<SwitchCell, 'state'>): CalloutError {
  return new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cell.state.cellId} 的应答无法识别，请稍后重试`);
}

interface SwitchOptions {
  cells: readonly CellConfig[];
  clock: Clock;
  random: Random;
  log: Log;
  /** Source of background job ids. */
  ids?: IdSource;
  metrics?: SwitchMetrics;
  /** Announcement for a customer whose call no runtime accepts. */
  apology?: string;
}

/** Special information tones, understood in every country as "the call cannot be completed". */
const DEFAULT_APOLOGY = 'tone_stream://%(330,15,950);%(330,15,1400);%(330,800,1800);loops=2';

/** Recording folder of the FreeSWITCH packages. */
const DEFAULT_RECORDING_FOLDER = '/var/lib/freeswitch/recordings';

/**
 * Connects to every configured cell and reconnects after losses. Usable at once: cells become available as they answer.
 *
 * Source: A10, D1.3, test/fixtures/esl/README.md
 */
export function connectSwitch(
  options: SwitchOptions,
): SwitchPort & { conferences: ConferenceSwitch; phones: SwitchPhones; close(): Promise<void> } {
  const listeners = new Set<(event: SwitchEvent) => void>();
  const emit = (event: SwitchEvent) => {
    for (const listener of listeners) notify(listener, event, options.log);
  };
  const phoneListeners = new Set<(hint: { cellId: string }) => void>();
  const hint = (cellId: string) => {
    for (const listener of phoneListeners) listener({ cellId });
  };
  const cells = new Map(options.cells.map(config => [config.id, newCell(config, options, { emit, hint })]));
  const cell = (cellId: string): SwitchCell => {
    const found = cells.get(cellId);
    if (!found) throw new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cellId} 未配置`);
    return found;
  };
  const folders = new Map(options.cells.map(({ id, recordingFolder }) => [id, recordingFolder ?? DEFAULT_RECORDING_FOLDER]));
  for (const one of cells.values()) one.start();
  return {
    conferences: conferenceSwitch({
      api: async (cellId, line) => cell(cellId).api(line),
      recordingFolder: cellId => folders.get(cellId) ?? DEFAULT_RECORDING_FOLDER,
    }),
    originate: async command =>
      cells.get(command.cellId)?.originate(command) ?? { kind: 'not_sent', reason: 'disconnected', replyText: '交换机未配置' },
    hangup: async (cellId, requestId, cause) => cell(cellId).hangup(requestId, cause),
    dismiss: async (cellId, requestId) => cell(cellId).dismiss(requestId),
    probe: async (cellId, requestId) => cell(cellId).probe(requestId),
    channels: async cellId => cell(cellId).channels(),
    setVariables: async (cellId, requestId, variables) => cell(cellId).setVariables(requestId, Object.entries(variables)),
    gatewayDomain: async (cellId, gateway) => cells.get(cellId)?.gatewayDomain(gateway) ?? null,
    gatewayStatus: async (cellId, gateway) => cell(cellId).gatewayStatus(gateway),
    cells: () => [...cells.values()].map(one => one.state),
    subscribe: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    phones: {
      registrations: async cellId => readRegistrations(cell(cellId)),
      bridge: async (cellId, firstUuid, secondUuid) => bridgeChannels(cell(cellId), firstUuid, secondUuid),
      attend: async (cellId, seconds) => attend(cell(cellId), seconds),
      onRegistration: listener => {
        phoneListeners.add(listener);
        return () => void phoneListeners.delete(listener);
      },
    },
    close: async () => {
      for (const one of cells.values()) one.stop();
      listeners.clear();
    },
  };
}

function newCell(
  config: CellConfig,
  options: SwitchOptions,
  { emit, hint }: { emit: (event: SwitchEvent) => void; hint: (cellId: string) => void },
): SwitchCell {
  const { clock, random, log, ids = systemIds, metrics = {}, apology = DEFAULT_APOLOGY } = options;
  return new SwitchCell({
    config,
    clock,
    random,
    ids,
    metrics,
    apology,
    emit,
    onRegistration: () => hint(config.id),
    log: log.child({ cellId: config.id }),
  });
}

/** A failing listener must not affect the other listeners or the connection. */
function notify(listener: (event: SwitchEvent) => void, event: SwitchEvent, log: Log): void {
  try {
    listener(event);
  } catch (error) {
    log.error({ error: error instanceof Error ? error.stack : String(error), kind: event.kind }, 'switch listener failed');
  }
}
