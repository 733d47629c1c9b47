import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeServiceData, type Services, startServices } from '#tools/services/start-services.ts';

/**
 * Services of the caller's own that keep what they confirm, as in production: a commit waits for the disk.
 *
 * Shape: `folder` takes files of the caller, `dataDir` is the services'; everything goes with the stack
 */
export async function startDurableServices(
  stack: AsyncDisposableStack,
  purpose: 'bench' | 'chaos',
): Promise<{ folder: string; dataDir: string; services: Services }> {
  const folder = await mkdtemp(join(tmpdir(), `callout-${purpose}-`));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // The account that PostgreSQL runs as must be able to enter.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'services');
  stack.defer(() => removeServiceData(dataDir, 'durable'));
  const services = await startServices({ dataDir, profile: 'durable', env: { PATH: process.env['PATH'] }, log: () => undefined });
  stack.defer(() => services.stop());
  return { folder, dataDir, services };
}
