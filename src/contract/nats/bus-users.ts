import { BUS_OPERATIONS } from './operations.ts';

/** What a user of NATS is granted. */
export interface BusPermissions {
  publish: string[];
  subscribe: string[];
}

/** Where answers arrive. */
const INBOX = '_INBOX.>';

/** Who looks for services on the bus may find it (NATS ADR-32). */
const DISCOVERY = '$SRV.>';

/** What a runtime needs: its part of the contract, and nothing else. It reads no captions and moves no campaign. */
export const RUNTIME_PERMISSIONS: BusPermissions = {
  publish: addresses('receive'),
  subscribe: [...addresses('send'), DISCOVERY, INBOX],
};

function addresses(action: 'send' | 'receive'): string[] {
  const own = BUS_OPERATIONS.filter(operation => operation.peer === 'runtime' && operation.action === action);
  return [...new Set(own.map(({ address }) => address.replaceAll(/\{\w+\}/g, '*')))];
}
