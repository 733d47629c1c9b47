import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '#test/support/wait-until.ts';
import { type RoleProcess, roleProcess } from './child-process.ts';
import { CELLS, SERVICES, type Service } from './fault-plan.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A `serve` process that reaches each service through its own proxy. */
export interface ServerProcess extends Omit<RoleProcess, 'start'> {
  name: string;
  url: string;
  wires: Record<Service, TcpProxy>;
  /** Starts the process and waits until it is ready. */
  start(): Promise<void>;
  /** Log lines of level error. */
  errors(): string[];
  close(): Promise<void>;
}

export interface ServerRequest {
  name: string;
  port: number;
  folder: string;
  /** Real addresses of the services; those of cells have the form `esl://host:port`. */
  addresses: Record<Service, string>;
  /** Configuration sections, without the addresses. */
  config: Record<string, unknown>;
  cell: Record<string, unknown>;
}

const HEALTH_TIMEOUT_MS = 5_000;
const START_TIMEOUT_MS = 120_000;
const LOG_TAIL_LINES = 5;
/** Exit of `serve` when a service is unavailable at the start (serve/serve.ts). */
const DEPENDENCY_AWAY = 'exit code 69';

export async function serverProcess(request: ServerRequest): Promise<ServerProcess> {
  const { name, port, folder, addresses } = request;
  const wires = Object.fromEntries(await Promise.all(SERVICES.map(async each => [each, await wireTo(addresses[each])] as const))) as Record<
    Service,
    TcpProxy
  >;
  const configFile = join(folder, `${name}.json`);
  await writeFile(configFile, JSON.stringify(configOf(request, wires)));
  const logFile = join(folder, `${name}.log`);
  const role = roleProcess({ program: ['tools/main.ts', 'serve'], env: { CALLOUT_CONFIG: configFile }, logFile });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...role,
    get unexpectedEnds() {
      return role.unexpectedEnds.filter(how => how !== DEPENDENCY_AWAY);
    },
    name,
    url,
    wires,
    async start() {
      role.start();
      const ready = () => {
        // A dependency was unavailable; a supervisor would restart the server too.
        if (!role.isRunning()) role.start();
        return isReady(url);
      };
      await waitUntil(`${name} to be ready`, ready, START_TIMEOUT_MS).catch((error: unknown) => {
        throw new Error(`${String(error)}; the end of its log:\n${tailOf(logFile)}`, { cause: error });
      });
    },
    errors: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter(line => line.includes('"level":"error"') || line.includes('"level":50')),
    async close() {
      await role.stop();
      await Promise.all(Object.values(wires).map(wire => wire.close()));
    },
  };
}

function wireTo(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return startTcpProxy({ host: hostname, port: Number(port) });
}

function configOf({ name, port, addresses, config, cell }: ServerRequest, wires: Record<Service, TcpProxy>): Record<string, unknown> {
  const through = (service: Service) => {
    const url = new URL(addresses[service]);
    url.host = `127.0.0.1:${wires[service].port}`;
    return url.href;
  };
  const section = (key: string) => (typeof config[key] === 'object' ? config[key] : {});
  return {
    ...config,
    server: { ...section('server'), host: '127.0.0.1', port, instanceId: name },
    database: { ...section('database'), url: through('postgres') },
    cache: { url: through('redis') },
    bus: { url: through('nats') },
    cells: CELLS.map(id => ({ ...cell, id, host: '127.0.0.1', port: wires[id].port })),
  };
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })).ok;
  } catch {
    // The server is not listening, or a dependency is unavailable.
    return false;
  }
}

function tailOf(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}
