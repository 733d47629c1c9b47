import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeServiceData, type Services, startServices } from '#tools/services/start-services.ts';

/**
 * Starts private services that persist what they confirm, as in production: a commit waits for the disk.
 *
 * Shape: `folder` is for the caller's files, `dataDir` for those of the services; the stack deletes both
 */
export async function startDurableServices(
  stack: AsyncDisposableStack,
  purpose: 'bench' | 'chaos',
): Promise<{ folder: string; dataDir: string; services: Services }> {
  const folder = await mkdtemp(join(tmpdir(), `callout-${purpose}-`));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs under its own account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'services');
  stack.defer(() => removeServiceData(dataDir, 'durable'));
  const services = await startServices({ dataDir, profile: 'durable', env: { PATH: process.env['PATH'] }, log: () => undefined });
  stack.defer(() => services.stop());
  return { folder, dataDir, services };
}
