import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { RunningService } from '#tools/services/service.ts';
import type { Services } from '#tools/services/start-services.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { CellProcess } from './cell-process.ts';
import type { Fault, Service } from './fault-plan.ts';
import type { RuntimeFleet } from './runtime-fleet.ts';
import type { ServerProcess } from './server-process.ts';

/** Processes and services that faults can hit. */
export interface Breakable {
  services: Services;
  /** Data folder of the services. */
  dataDir: string;
  servers: readonly ServerProcess[];
  cells: readonly CellProcess[];
  runtime: Pick<RuntimeFleet, 'kill' | 'killAll' | 'slow' | 'fill'>;
}

/** Time limit for delivering a command; a frozen cell accepts none until it thaws, ms. */
const ORDER_TIMEOUT_MS = 60_000;

/** Carries out a fault and resolves when it is over and whatever was killed responds again. */
export async function carryOut(rig: Breakable, fault: Fault): Promise<void> {
  const wait = (ms: number) => sleep(systemClock, ms);
  switch (fault.kind) {
    case 'server.kill': {
      const server = serverOf(rig, fault.server);
      await server.kill();
      await wait(fault.downMs);
      return server.start();
    }
    case 'redis.restart':
      return restart(serviceOf(rig, 'Redis'), fault.downMs, fault.keepsData ? undefined : () => forgetRedis(rig.dataDir));
    case 'redis.flush':
      return flush(rig.services.redisUrl);
    case 'nats.restart':
      return restart(serviceOf(rig, 'NATS'), fault.downMs);
    case 'postgres.restart':
      return restartPostgres(serviceOf(rig, 'PostgreSQL'), fault.downMs);
    case 'wire.slow': {
      const wire = wireOf(rig, fault);
      wire.slow(fault.delayMs);
      await wait(fault.forMs);
      return wire.slow(0);
    }
    case 'wire.cut': {
      const wire = wireOf(rig, fault);
      wire.cut();
      await wait(fault.forMs);
      return wire.heal();
    }
    case 'wire.vanish': {
      const wire = wireOf(rig, fault);
      wire.vanish();
      await wait(fault.forMs);
      return wire.heal();
    }
    case 'wire.reset':
      return wireOf(rig, fault).reset();
    case 'cell.freeze':
      await order(rig, fault.cell, { fault: 'freeze', durationMs: fault.forMs });
      return wait(fault.forMs);
    case 'cell.drop':
      return order(rig, fault.cell, { fault: 'drop' });
    case 'cell.kill':
      await order(rig, fault.cell, { fault: 'kill', durationMs: fault.downMs });
      await wait(fault.downMs);
      return void (await waitUntil('the cell to come back', () =>
        cellOf(rig, fault.cell)
          .read()
          .then(() => true),
      ));
    case 'cell.loseReplies':
      return order(rig, fault.cell, { fault: 'loseReplies', count: fault.count, kind: 'bgapi' });
    case 'cell.loseEvents':
      return order(rig, fault.cell, { fault: 'loseEvents', count: fault.count });
    case 'cell.duplicateEvents':
      return order(rig, fault.cell, { fault: 'duplicateEvents', count: fault.count });
    case 'cell.swapEvents':
      return order(rig, fault.cell, { fault: 'swapEvents', count: fault.count });
    case 'runtime.kill':
      return rig.runtime.kill(fault.runtime, fault.downMs);
    case 'runtime.killAll':
      return rig.runtime.killAll(fault.downMs);
    case 'runtime.slow':
      return rig.runtime.slow(fault.runtime, fault.forMs);
    case 'runtime.fill':
      return rig.runtime.fill(fault.runtime, fault.forMs);
    default:
      return fault satisfies never;
  }
}

async function restart(service: RunningService, downMs: number, whileDown?: () => Promise<void>): Promise<void> {
  await service.kill();
  await whileDown?.();
  await sleep(systemClock, downMs);
  await service.restart();
}

/** Stops PostgreSQL in immediate mode: no checkpoint, sessions are cut, and the next start runs recovery. */
async function restartPostgres(service: RunningService, downMs: number): Promise<void> {
  const pid = service.pid();
  if (pid !== undefined) process.kill(pid, 'SIGQUIT');
  await waitUntil('PostgreSQL to end', () => service.pid() === undefined);
  await sleep(systemClock, downMs);
  await service.restart();
}

function forgetRedis(dataDir: string): Promise<void> {
  return rm(join(dataDir, 'redis', 'appendonlydir'), { recursive: true, force: true });
}

async function flush(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 20 });
  await redis.flushall();
  await redis.quit();
}

async function order(rig: Breakable, cell: string, what: Parameters<CellProcess['order']>[0]): Promise<void> {
  await waitUntil(
    `${cell} to take an order`,
    () =>
      cellOf(rig, cell)
        .order(what)
        .then(() => true),
    ORDER_TIMEOUT_MS,
  );
}

function serviceOf(rig: Breakable, name: 'PostgreSQL' | 'Redis' | 'NATS'): RunningService {
  const service = rig.services.handles[name];
  if (!service) throw new Error(`${name} is not ours to break`);
  return service;
}

function serverOf(rig: Breakable, index: number): ServerProcess {
  const server = rig.servers[index];
  if (!server) throw new Error(`there is no server ${index}`);
  return server;
}

function wireOf(rig: Breakable, { server, service }: { server: number; service: Service }) {
  return serverOf(rig, server).wires[service];
}

function cellOf(rig: Breakable, id: string): CellProcess {
  const cell = rig.cells.find(each => each.id === id);
  if (!cell) throw new Error(`there is no ${id}`);
  return cell;
}
