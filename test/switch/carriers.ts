import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Simulated faulty carriers behind gateways, on ports of this machine. */
export interface Carriers {
  /** Numbers whose INVITE the half-dead carrier dropped. */
  swallowed: Set<string>;
  /** Final status with which it responds to OPTIONS. */
  readonly noOptionsStatus: number;
  close(): void;
}

/** Gateway names: copies of the shipped gateway with another address. */
export const SILENT = 'carrier-silent';
export const REFUSING = 'carrier-refusing';
export const HALF_DEAD = 'carrier-half-dead';
export const NO_OPTIONS = 'carrier-no-options';

const NO_OPTIONS_STATUS = 405;

export interface CarrierRequest {
  /** `sip_profiles/external` of the configuration. */
  gatewayFolder: string;
  /** Ports on this machine of the customers' switch, and of the switch that calls them. */
  people: number;
  cell: number;
}

/** Starts the carriers and writes their gateways into a configuration that no switch has loaded yet. */
export async function startCarriers({ gatewayFolder, people, cell }: CarrierRequest): Promise<Carriers> {
  const swallowed = new Set<string>();
  const silent = await listen(() => undefined);
  // Nothing listens there any more: the machine responds with ICMP.
  const refusing = await listen(() => undefined);
  const refusedPort = refusing.address().port;
  refusing.close();
  const halfDead = await listen((text, port, socket) => {
    const number = /^INVITE sip:(\d+)@/.exec(text)?.[1];
    if (number === undefined || !swallowed.has(number)) socket.send(text, port === cell ? people : cell, '127.0.0.1');
  });
  const noOptions = await listen((text, port, socket) => {
    if (text.startsWith('OPTIONS ')) socket.send(refusalOf(text), port, '127.0.0.1');
  });
  const ports = {
    [SILENT]: silent.address().port,
    [REFUSING]: refusedPort,
    [HALF_DEAD]: halfDead.address().port,
    [NO_OPTIONS]: noOptions.address().port,
  };
  const shipped = await readFile(join(gatewayFolder, 'carrier.xml'), 'utf8');
  for (const [name, port] of Object.entries(ports)) {
    const text = shipped.replace('<gateway name="carrier">', `<gateway name="${name}">`).replace('$${carrier}', `127.0.0.1:${port}`);
    await writeFile(join(gatewayFolder, `${name}.xml`), text);
  }
  return {
    swallowed,
    noOptionsStatus: NO_OPTIONS_STATUS,
    close() {
      for (const socket of [silent, halfDead, noOptions]) socket.close();
    },
  };
}

async function listen(take: (text: string, port: number, socket: Socket) => void): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port }) => take(bytes.toString('latin1'), port, socket));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** The minimal response to a request: its own headers, copied as in RFC 3261 §8.2.6. */
function refusalOf(text: string): string {
  const copied = text.split('\r\n').filter(line => /^(Via|From|Call-ID|CSeq|To):/i.test(line));
  const headers = copied.map(line => (/^To:/i.test(line) ? `${line};tag=none` : line));
  return [`SIP/2.0 ${NO_OPTIONS_STATUS} Method Not Allowed`, ...headers, 'Content-Length: 0', '', ''].join('\r\n');
}
