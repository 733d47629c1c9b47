import type { Line } from './line.ts';
import type { GatewayStatus, SwitchPort } from '#platform/freeswitch/switch.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';

/** The gateway of a line at one cell. */
export interface LineGateway extends GatewayStatus {
  cellId: string;
  name: string;
}

/** Returns the status of the line's gateway at each enabled cell; empty when the dial string names no gateway. */
export async function readLineGateways(
  { switchPort }: { switchPort: Pick<SwitchPort, 'cells' | 'gatewayStatus'> },
  { dialStringTemplate }: Line,
): Promise<LineGateway[]> {
  const template = readDialTemplate(dialStringTemplate);
  const name = template.kind === 'allowed' ? template.gateway : null;
  if (name === null) return [];
  const cells = switchPort.cells().filter(({ isEnabled }) => isEnabled);
  return Promise.all(cells.map(async ({ cellId }) => ({ cellId, name, ...(await switchPort.gatewayStatus(cellId, name)) })));
}
