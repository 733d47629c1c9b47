import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '#compose/tools/project.ts';
import { roleProcess } from '#test/chaos/child-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectEqual, type Report } from '../report.ts';
import { BUSINESS, type SwitchRig } from '../switch-rig.ts';
import { settled, startCampaign } from './campaign.ts';

const LIMIT_MS = 90_000;
const TALK_LIMIT_MS = 60_000;
const SCRIPT = join(PROJECT, 'examples/spring-visit.script.json');

/** The reference runtime in the place of the tool's own: a script from the greeting to the result. */
export async function checkReferenceRuntime(rig: SwitchRig, report: Report): Promise<void> {
  await report.check('runtime', 'the reference runtime walks a script to its result', () => walk(rig), { limitMs: LIMIT_MS });
}

async function walk(rig: SwitchRig): Promise<string> {
  await rig.rest('POST', '/api/v1/scripts', { ...JSON.parse(await readFile(SCRIPT, 'utf8')), businessCode: BUSINESS });
  const { natsUrl } = rig.services;
  const runtime = roleProcess({
    role: 'runtime',
    args: ['--nats-url', natsUrl, '--speed', '10', '--voicemail-rate', '0', '--seed', '1'],
    logFile: join(rig.folder, 'runtime.log'),
  });
  rig.runtime.pause();
  runtime.start();
  try {
    await waitUntil('the runtime to be there', async () =>
      (await readFile(join(rig.folder, 'runtime.log'), 'utf8')).includes('takes calls'),
    );
    const called = [1_010, 1_020, 1_030].map(tone => customerNumber({ tone, ringSeconds: 1 }));
    const attempts = await settled(rig, await startCampaign(rig, called), called.length, TALK_LIMIT_MS);
    expectEqual('statuses', [...new Set(attempts.map(({ status }) => status))], ['completed']);
    const texts = await Promise.all(
      attempts.map(async ({ id }) => (await rig.rest('GET', `/api/call-attempts/${id}/transcript-segments`)).rows.length as number),
    );
    expectEqual('calls without a transcript', texts.filter(count => count === 0).length, 0);
    return `${attempts.length} completed, ${texts.join(', ')} sentences`;
  } finally {
    await runtime.stop();
    rig.runtime.resume();
  }
}
