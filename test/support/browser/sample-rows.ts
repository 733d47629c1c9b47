import { filledPath } from '#tools/console/read-pages.ts';
import type { DispatchRig } from '../dispatch-rig.ts';
import { BUSINESS } from './browser-suite.ts';

/** A row of each noun whose page has a parameter, by the first segment of the path. */
export type SampleRows = Parameters<typeof filledPath>[1];

/** Makes a campaign with one call to this number, which is over when it returns, and finds a row of every other noun. */
export async function sampleRows(rig: DispatchRig, number: string): Promise<SampleRows> {
  const { id } = await rig.campaign({ ...BUSINESS, contacts: [number] });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  const [call] = await rig.attempts(id);
  const scripts = await rig.ask('GET', '/api/v1/scripts');
  const { agent } = (await rig.ask('POST', '/api/agents', { name: `坐席 ${number}` })).data;
  const { list } = (await rig.ask('POST', '/api/lists', { name: '春季名单', kind: 'contacts' })).data;
  return {
    agents: agent.id,
    businesses: BUSINESS.businessCode,
    campaigns: id,
    lists: list.id,
    people: number,
    scripts: scripts.data.rows[0].id,
    calls: call?.id,
  };
}

/** Errors: Error when there is no sample for the parameter */
export function pathOfPage(path: string, samples: SampleRows): string {
  const filled = filledPath(path, samples);
  if (filled === null) throw new Error(`no sample for ${path}: add one to sampleRows`);
  return filled;
}
