import type { MsgHdrs } from '@nats-io/transport-node';
import type { BusHeaders } from './bus.ts';

export function fromNats(received: MsgHdrs): BusHeaders {
  return Object.fromEntries(received.keys().map(name => [name, received.get(name)]));
}
