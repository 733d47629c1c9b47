import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks that no address of the public internet is in. Source: IANA special-purpose address registries */
const PRIVATE_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Only 2000::/3 is assigned to the public; of it, these carry or document other addresses: Teredo, 6to4, documentation. */
const PUBLIC_6 = '2000::/3';
const PRIVATE_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const private4 = listOf(PRIVATE_4, 'ipv4');
const private6 = listOf(PRIVATE_6, 'ipv6');
const public6 = listOf([PUBLIC_6], 'ipv6');

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = '0'] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * Whether an address leads into a private network, to this machine, or nowhere. A text that is no address counts as private.
 *
 * Why: an IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) is outside 2000::/3, so it is refused whatever it carries
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  if (!isIPv6(address)) return private4.check(address, 'ipv4');
  return !public6.check(address, 'ipv6') || private6.check(address, 'ipv6');
}
