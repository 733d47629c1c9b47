import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roleProcess } from '#test/chaos/child-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectEqual, type Report } from '../report.ts';
import { BUSINESS, INTERNAL_TOKEN, type SwitchRig } from '../switch-rig.ts';
import { settled, startCampaign } from './campaign.ts';

const LIMIT_MS = 90_000;
const TALK_LIMIT_MS = 60_000;
/** The same script for every simulated customer: none asks for an agent. */
const SCRIPT = {
  name: '真机检查',
  businessCode: BUSINESS,
  entryNodeId: 'start',
  nodes: [
    { id: 'start', type: 'start', next: 'greet' },
    { id: 'greet', type: 'send', config: { phrase: 'greeting' }, next: 'ask' },
    { id: 'ask', type: 'collect', config: { phrase: 'question', retries: 0 }, next: { default: 'end' } },
    { id: 'end', type: 'end', config: { phrase: 'goodbye' } },
  ],
  phrases: [
    { key: 'greeting', text: '您好，这里是检查电话。' },
    { key: 'question', text: '您能听到我说话吗？' },
    { key: 'goodbye', text: '谢谢，再见。' },
  ],
};

/** The reference runtime in place of the tool's own: a script from the greeting to the result. */
export async function checkReferenceRuntime(rig: SwitchRig, report: Report): Promise<void> {
  await report.check('runtime', 'the reference runtime walks a script to its result', () => walk(rig), { limitMs: LIMIT_MS });
}

async function walk(rig: SwitchRig): Promise<string> {
  await rig.rest('POST', '/api/v1/scripts', SCRIPT);
  const { natsUrl } = rig.services;
  const runtime = roleProcess({
    program: ['tools/main.ts', 'runtime', '--nats-url', natsUrl, '--speed', '10', '--voicemail-rate', '0', '--seed', '1'],
    env: { CALLOUT_INTERNAL_TOKEN: INTERNAL_TOKEN },
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
