import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinary, findPostgresFolder } from '#tools/services/binaries.ts';
import { startNats } from '#tools/services/nats.ts';
import { startPostgres } from '#tools/services/postgres.ts';
import { startRedis } from '#tools/services/redis.ts';
import type { RunningService, ServiceProfile } from '#tools/services/service.ts';
import { removeServiceData } from '#tools/services/start-services.ts';

export type PrivateService = RunningService;

const KINDS = {
  postgres: { find: findPostgresFolder, start: startPostgres },
  redis: { find: (env: NodeJS.ProcessEnv) => findBinary('redis-server', env), start: startRedis },
  nats: { find: (env: NodeJS.ProcessEnv) => findBinary('nats-server', env), start: startNats },
};

/**
 * Starts a server process for one test file, which may kill and restart it; `stop()` also deletes its data.
 *
 * Shape: `durable` for tests of what survives a crash
 */
export async function startPrivateService(kind: keyof typeof KINDS, profile: ServiceProfile = 'test'): Promise<PrivateService> {
  const binary = KINDS[kind].find(process.env);
  if (binary === null) throw new Error(`${kind} is not on this machine: run \`npm test\` once, it installs what is missing`);
  const folder = await mkdtemp(join(tmpdir(), `callout-test-${kind}-`));
  // PostgreSQL runs under its own account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  const service = await KINDS[kind].start({ dataDir: join(folder, kind), profile, binary }, () => undefined);
  return {
    ...service,
    stop: async () => {
      await service.stop();
      await removeServiceData(folder, profile);
    },
  };
}
