import type { PhoneRegistry } from './phone-registry.ts';
import type { SipSettings } from './sip-config.ts';

export interface PhoneAddressDeps {
  phoneRegistry: Pick<PhoneRegistry, 'locate'>;
  sipSettings: Pick<SipSettings, 'sipRealm'>;
}

/** SIP domain of an agent's phone at a cell: the domain of its registration, else the installation's; empty when neither is known. */
export function phoneRealm({ phoneRegistry, sipSettings }: PhoneAddressDeps, phoneExtension: string, cellId: string): string {
  return phoneRegistry.locate(phoneExtension, cellId)?.realm || sipSettings.sipRealm;
}

/**
 * Builds the dial string of an agent's phone; null without a domain.
 *
 * Why:    the switch finds a user only within a domain, never by a bare extension
 * Source: test/fixtures/esl/README.md §1a
 */
export function phoneTemplate(realm: string): string | null {
  return realm === '' ? null : `user/{{destinationNumber}}@${realm}`;
}
