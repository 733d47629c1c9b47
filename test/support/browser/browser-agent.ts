import type { Page } from 'playwright-core';
import type { DispatchRig } from '../dispatch-rig.ts';
import type { OpenPage, PageOptions } from './browsing.ts';

const EXTENSION = '1005';
const USERNAME = 'test-agent';

/** Opens a page as an agent whose agent has a browser phone. */
export async function openWithPhone(open: OpenPage, rig: DispatchRig, path: string, options: PageOptions = {}): Promise<Page> {
  const page = await open(path, { ...options, as: 'agent' });
  // The first page creates the user.
  if (await hire(rig)) await page.reload();
  return page;
}

/** Gives the user of the role an agent with an extension; false when it has one. */
async function hire(rig: DispatchRig): Promise<boolean> {
  const { agents } = (await rig.ask('GET', '/api/agents')).data;
  if (agents.some((agent: { phoneExtension: string }) => agent.phoneExtension === EXTENSION)) return false;
  const { rows } = (await rig.ask('GET', '/api/users')).data;
  const user = rows.find((row: { username: string }) => row.username === USERNAME);
  await rig.ask('POST', '/api/agents', {
    name: '话机坐席',
    phoneExtension: EXTENSION,
    sipPassword: 'a password of the test',
    userId: user.id,
  });
  return true;
}
