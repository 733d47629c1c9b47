import type { PhoneRegistry } from './phone-registry.ts';
import type { SipSettings } from './sip-config.ts';

export interface PhoneAddressDeps {
  phoneRegistry: Pick<PhoneRegistry, 'locate'>;
  sipSettings: Pick<SipSettings, 'sipRealm'>;
}

/** SIP domain of an agent's phone at a cell: the one that it has registered with, else the installation's; empty when neither is known. */
export function phoneRealm({ phoneRegistry, sipSettings }: PhoneAddressDeps, phoneExtension: string, cellId: string): string {
  return phoneRegistry.locate(phoneExtension, cellId)?.realm || sipSettings.sipRealm;
}

/**
 * The dial string of an agent's phone, whoever calls it; null without a domain.
 *
 * Why:    the switch knows a user of a domain: a bare extension is nobody's
 * Source: test/fixtures/esl/README.md §1a
 */
export function phoneTemplate(realm: string): string | null {
  return realm === '' ? null : `user/{{destinationNumber}}@${realm}`;
}
