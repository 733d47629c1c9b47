/**
 * Extensions, their registrations, and joining two channels: what agents need of the switch beside `SwitchPort`.
 *
 * Source: test/fixtures/esl/README.md §4 "show registrations", "uuid_bridge"
 */
export interface SwitchPhones {
  /**
   * The extensions that are registered at the cell now.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  registrations(cellId: string): Promise<Registration[]>;
  /**
   * Joins two answered channels: the end of either ends the other.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  bridge(cellId: string, firstUuid: string, secondUuid: string): Promise<'bridged' | 'absent'>;
  /** Calls `listener` when a phone has come or gone: a hint to read the registrations; the returned function stops it. */
  onRegistration(listener: (hint: { cellId: string }) => void): () => void;
}

export interface Registration {
  extension: string;
  realm: string;
}
