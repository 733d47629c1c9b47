/** The runtime violates the contract; the message tells its author where. */
export class Fault extends Error {}

export function insist(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Fault(fault);
}
