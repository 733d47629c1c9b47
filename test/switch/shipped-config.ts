import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '#tools/commands/project.ts';

/** Ports of the shipped switch on this machine. */
export interface SwitchPorts {
  eventSocket: number;
  /** Agents' phones: SIP, and browsers. */
  phones: number;
  ws: number;
  wss: number;
  /** Carriers. */
  carriers: number;
  rtp: { start: number; end: number };
}

/**
 * Copies docker/freeswitch and replaces only addresses and ports with those of this machine.
 *
 * Errors: Error when something to replace is missing, because the tested configuration would not be the shipped one
 */
export async function writeShippedConfig(folder: string, ports: SwitchPorts): Promise<void> {
  await cp(join(PROJECT, 'docker/freeswitch'), folder, { recursive: true });
  const edit = (file: string, changes: readonly (readonly [from: string, to: string])[]) => replaceIn(join(folder, file), changes);
  await edit('autoload_configs/event_socket.conf.xml', [
    [param('listen-ip', '0.0.0.0'), param('listen-ip', '127.0.0.1')],
    [param('listen-port', '8021'), param('listen-port', ports.eventSocket)],
  ]);
  await edit('autoload_configs/switch.conf.xml', [
    [param('rtp-start-port', '16384'), param('rtp-start-port', ports.rtp.start)],
    [param('rtp-end-port', '16783'), param('rtp-end-port', ports.rtp.end)],
  ]);
  await edit('sip_profiles/agents.xml', [
    [param('sip-port', '5060'), param('sip-port', ports.phones)],
    [param('ws-binding', ':5066'), param('ws-binding', `127.0.0.1:${ports.ws}`)],
    [param('wss-binding', ':7443'), param('wss-binding', `127.0.0.1:${ports.wss}`)],
  ]);
  await edit('sip_profiles/external.xml', [[param('sip-port', '5080'), param('sip-port', ports.carriers)]]);
  for (const name of await readdir(join(folder, 'sip_profiles'))) {
    if (name.endsWith('.xml')) await edit(join('sip_profiles', name), [['$${local_ip_v4}', '127.0.0.1']]);
  }
}

function param(name: string, value: string | number): string {
  return `<param name="${name}" value="${value}"/>`;
}

async function replaceIn(file: string, changes: readonly (readonly [from: string, to: string])[]): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} does not say ${from}`);
    text = text.replaceAll(from, to);
  }
  await writeFile(file, text);
}
