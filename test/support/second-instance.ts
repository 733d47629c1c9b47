import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import type { ConferenceRig } from './conference-rig.ts';
import { launchServe, type ServeProcess } from './serve-process.ts';
import { waitUntil } from './wait-until.ts';

export interface SecondInstance extends ServeProcess {
  /** Its only connection to the switch. */
  wire: TcpProxy;
  kill(): Promise<void>;
}

/** Starts a second instance in its own process, beside the rig's own, which survives; `stack` ends it. */
export async function startSecondInstance(rig: ConferenceRig, instanceId: string, stack: AsyncDisposableStack): Promise<SecondInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-second-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const wire = await startTcpProxy({ host: '127.0.0.1', port: rig.simulator.port });
  stack.defer(() => wire.close());
  const { server, cache, ...config } = rig.server.config;
  const file = join(folder, 'config.json');
  const cells = config.cells.map(cell => ({ ...cell, port: wire.port }));
  // The longest that an operator may set; the rig's own limits are longer.
  const patient = { ...cache, commandTimeoutMs: 999 };
  await writeFile(file, JSON.stringify({ ...config, server: { ...server, port: 0, instanceId }, cache: patient, cells }));
  const instance = await launchServe({ PATH: process.env['PATH'], CALLOUT_CONFIG: file });
  const kill = async () => {
    if (instance.child.exitCode === null) instance.child.kill('SIGKILL');
    await instance.exit;
  };
  stack.defer(kill);
  await waitUntil('the phones to be known', async () => {
    const { data } = await instance.api('GET', '/api/agents/phone-statuses');
    return (data['rows'] as { registrationStatus: string }[]).some(row => row.registrationStatus === 'registered');
  });
  return { ...instance, wire, kill };
}
