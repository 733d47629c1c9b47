import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-address.ts';
import { OutsideError } from './outside-error.ts';

/** Rules for addresses that people enter. */
export interface OutsideRules {
  /** Private networks and plain HTTP are allowed. */
  allowPrivate: boolean;
}

interface Resolved {
  address: string;
  family: number;
}

/**
 * Resolves a host to the addresses that may be reached; the caller connects to one of these and asks nobody again.
 *
 * Why:    a name may answer a public address to the check and a private one to the connection
 * Errors: OutsideError unresolved, address_private
 */
export async function resolveAllowed(host: string, { allowPrivate }: OutsideRules): Promise<Resolved[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(bare) > 0 ? [{ address: bare, family: isIP(bare) }] : await resolve(bare);
  const allowed = allowPrivate ? found : found.filter(({ address }) => !isPrivateAddress(address));
  if (allowed.length === 0) throw new OutsideError('address_private');
  return allowed;
}

async function resolve(host: string): Promise<Resolved[]> {
  try {
    const found = await lookup(host, { all: true });
    if (found.length > 0) return found;
  } catch (error) {
    throw new OutsideError('unresolved', { cause: error });
  }
  throw new OutsideError('unresolved');
}

/** The resolver of a socket: the addresses that were checked are those that it connects to. */
export function guardedLookup(rules: OutsideRules): LookupFunction {
  return (host, options, answer) => {
    resolveAllowed(host, rules).then(
      allowed => {
        const [first] = allowed;
        if (options.all === true) answer(null, allowed);
        else answer(null, first?.address ?? '', first?.family ?? 4);
      },
      (error: Error) => answer(error, ''),
    );
  };
}
