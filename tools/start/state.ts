import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrMakeSecret } from '../services/secrets.ts';
import { removeServiceData } from '../services/start-services.ts';
import { STATE_FOLDER } from '../commands/project.ts';
import { CELL_ID, DEMO } from './demo.ts';

/** Everything that runs of this checkout keep, all below `.callout/`. */
export interface RunState {
  servicesFolder: string;
  logFolder: string;
  /**
   * Folder into which the simulated switch and the runtime write recordings, and from which the server reads them; null when the path is
   * not valid for a switch.
   */
  recordingFolder: string | null;
  configFile: string;
  adminPassword: string;
  internalToken: string;
  nluToken: string;
  switchPassword: string;
  /** Password of the demo's agents, in the console and of their phones. */
  agentPassword: string;
  /** Encrypts the phones' passwords in the database. */
  secretKey: string;
}

/** The runtime ends its live calls after 10 s; the server stays a little longer for their results. In ms. */
const DRAIN_TIMEOUT_MS = 15_000;
const RECORDINGS = join(STATE_FOLDER, 'recordings');
/** Form that `cells[].recordingFolder` accepts. */
const FOLDER_AT_SWITCH = /^\/[A-Za-z0-9_./-]{1,150}$/;
/** How long recordings of a demonstration are kept. */
const RECORDING_DAYS = 7;
const SERVICES = join(STATE_FOLDER, 'services');

/** Creates whatever is missing; secrets are generated once and kept with mode 0600. */
export async function openState(): Promise<RunState> {
  const logFolder = join(STATE_FOLDER, 'logs');
  await mkdir(logFolder, { recursive: true });
  const [adminPassword, internalToken, nluToken, switchPassword, agentPassword, sealing] = await Promise.all(
    ['admin-password', 'internal-token', 'nlu-token', 'switch-password', 'agent-password', 'sealing-secret'].map(name =>
      readOrMakeSecret(join(STATE_FOLDER, name)),
    ),
  );
  if (!adminPassword || !internalToken || !nluToken || !switchPassword || !agentPassword || !sealing)
    throw new Error(`a secret in ${STATE_FOLDER} is empty: remove it`);
  return {
    servicesFolder: SERVICES,
    logFolder,
    recordingFolder: FOLDER_AT_SWITCH.test(RECORDINGS) ? RECORDINGS : null,
    configFile: join(STATE_FOLDER, 'config.json'),
    adminPassword,
    internalToken,
    nluToken,
    switchPassword,
    agentPassword,
    secretKey: createHash('sha256').update(sealing).digest('hex'),
  };
}

/** Deletes the services' data and the recordings; keeps the secrets. */
export async function forgetData(): Promise<void> {
  await rm(RECORDINGS, { recursive: true, force: true });
  await removeServiceData(SERVICES, 'durable');
}

/** Ports of the simulated switch: of the Event Socket, and of SIP over WebSocket. */
export interface SwitchPorts {
  switchPort: number;
  phonePort: number;
}

/** Address at which agents' browser phones register; a page of this machine may use it without TLS. */
export function phoneAddress(phonePort: number): string {
  return `ws://127.0.0.1:${phonePort}`;
}

/** Writes the server's configuration of this run: one cell (the simulated switch) and the demo's business. */
export async function writeServerConfig(state: RunState, { switchPort, phonePort }: SwitchPorts): Promise<void> {
  const { configFile, recordingFolder, switchPassword: password } = state;
  const cell = { id: CELL_ID, host: '127.0.0.1', port: switchPort, password, ...(recordingFolder === null ? {} : { recordingFolder }) };
  await rm(configFile, { force: true });
  const config = {
    server: { drainTimeoutMs: DRAIN_TIMEOUT_MS },
    retention: { recordingsDays: RECORDING_DAYS },
    agents: { secretKey: state.secretKey, sipRealm: '127.0.0.1', wsServers: [phoneAddress(phonePort)] },
    businesses: [DEMO.business],
    cells: [cell],
  };
  await writeFile(configFile, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}
