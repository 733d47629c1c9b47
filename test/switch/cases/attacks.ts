import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { attemptsOf, hangUpAll, startCampaign } from './campaign.ts';

const AREA = 'attacks';

/** Data that a user of the product may enter, and that must not control the switch. */
export async function checkAttacks(rig: SwitchRig, report: Report): Promise<void> {
  await report.check(AREA, 'dial templates that run commands', () => templates(rig));
  await report.check(AREA, 'contacts whose data are commands and settings', () => contacts(rig));
  await report.check(AREA, 'a command that reached a channel all the same', () => expansion(rig));
  await report.check(AREA, 'modules that reach the system', () => modules(rig));
  await hangUpAll(rig);
}

const TEMPLATES = [
  'loopback/app=system:/x.sh;{{destinationNumber}}',
  'loopback/app=socket:127.0.0.1:9;{{destinationNumber}}',
  'loopback/{{destinationNumber}}/default',
  '{record_post_process_exec_api=system:/x.sh}sofia/gateway/carrier/{{destinationNumber}}',
  '{exec_after_bridge_app=system,exec_after_bridge_arg=/x.sh}sofia/gateway/carrier/{{destinationNumber}}',
  '{api_hangup_hook=system /x.sh}sofia/gateway/carrier/{{destinationNumber}}',
  '[execute_on_answer=system /x.sh]sofia/gateway/carrier/{{destinationNumber}}',
  '<execute_on_ring=system /x.sh>sofia/gateway/carrier/{{destinationNumber}}',
  'sofia/gateway/carrier/{{destinationNumber}}|loopback/x',
  'sofia/gateway/carrier/${system(/x.sh)}{{destinationNumber}}',
  'sofia/gateway/carrier/{{destinationNumber}} &system(/x.sh)',
  'sofia/gateway/carrier/{{destinationNumber}}\napi system /x.sh',
];

async function templates({ rest }: SwitchRig): Promise<string> {
  const answers = await Promise.all(
    TEMPLATES.map(async (dialStringTemplate, index) => {
      const line = {
        name: `攻击 ${index}`,
        code: `attack-${index}`,
        dialStringTemplate,
        maxConcurrency: 1,
        allocationMode: 'single_shared',
      };
      return rest('POST', '/api/lines', line).then(
        () => 'taken',
        (error: Error) => (error.message.includes(' 400 ') && error.message.includes('dialStringTemplate') ? 'refused' : error.message),
      );
    }),
  );
  expectEqual('answers', [...new Set(answers)], ['refused']);
  return `${answers.length} refused by name`;
}

/** Ordinary names and values of contact data. */
const HARMLESS = { city: '杭州', comma: '一', hotline: '95500', nextVisit: '2026-12-01', xingming: '王', kehu_dengji: 'A', '1st': 'first' };

/** Names that the switch executes, and values that it would expand; each would create the file `proof`. */
function hostileData(proof: string): Record<string, string> {
  return {
    exec_after_bridge_app: 'system',
    api_hangup_hook: `system touch ${proof}`,
    execute_on_answer: `system touch ${proof}`,
    temp_hold_music: `shell_stream:///usr/bin/touch ${proof}`,
    record_post_process_exec_api: `system:touch ${proof}`,
    session_in_hangup_hook: 'true',
    remark_a: `\${system(touch ${proof})}`,
    remark_b: `$\${system(touch ${proof})}`,
    remark_c: `\\\${system(touch ${proof})}`,
    remark_d: `x'},{y=\${system(touch ${proof})}`,
    remark_e: `x\n\nbgapi system touch ${proof}\n\n`,
    ...HARMLESS,
  };
}

const OBEYED = new Set(Object.keys(hostileData('')).filter(name => !name.startsWith('remark_') && !Object.hasOwn(HARMLESS, name)));

async function contacts(rig: SwitchRig): Promise<string> {
  const proof = join(rig.folder, 'attack-by-contact');
  const { requestId, variables } = await dialWith(rig, hostileData(proof));
  const hostile = [...variables].filter(([name, value]) => value.includes('${') || OBEYED.has(name));
  expectEqual('variables of the channel that an attacker wrote', hostile, []);
  const { '1st': first, ...plain } = HARMLESS;
  const seen = Object.keys(plain).map(name => [name, variables.get(name)]);
  expectEqual('what is no attack', Object.fromEntries(seen), plain);
  expectEqual('a name that the switch has none for', variables.get('callout_var_1st'), first);
  expectEqual('a setting under a name that nobody obeys', variables.get('callout_var_session_in_hangup_hook'), 'true');
  await rig.cell.api(`uuid_kill ${requestId}`);
  await waitUntil('the attempt to end', async () => (await rig.cell.api(`uuid_exists ${requestId}`)).trim() === 'false');
  expectEqual('the file of a command', await exists(proof), false);
  return `${variables.size} variables, none of theirs`;
}

/** The shipped configuration expands no API call, whatever a channel variable contains. */
async function expansion(rig: SwitchRig): Promise<string> {
  const proof = join(rig.folder, 'attack-by-expansion');
  const { requestId } = await dialWith(rig, {});
  await rig.cell.api(`uuid_setvar ${requestId} attack \${system(touch ${proof})}`);
  await rig.cell.api(`uuid_broadcast ${requestId} log::INFO\\s\${attack} aleg`);
  await rig.cell.api(`eval uuid:${requestId} \${attack}`);
  await rig.cell.api(`uuid_broadcast ${requestId} log::INFO\\s\${system(touch\\s${proof})} aleg`);
  await rig.cell.api(`uuid_kill ${requestId}`);
  await waitUntil('the call to end', async () => (await rig.cell.api(`uuid_exists ${requestId}`)).trim() === 'false');
  expectEqual('the file of a command', await exists(proof), false);
  return 'nothing ran';
}

const NEEDLESS = ['mod_loopback', 'mod_lua', 'mod_shell_stream', 'mod_python3', 'mod_http_cache', 'mod_curl', 'mod_xml_rpc'];

async function modules({ cell }: SwitchRig): Promise<string> {
  const loaded = await Promise.all(NEEDLESS.map(async name => [name, (await cell.api(`module_exists ${name}`)).trim()] as const));
  expectEqual(
    'loaded',
    loaded.filter(([, answer]) => answer !== 'false').map(([name]) => name),
    [],
  );
  return `${loaded.length} are absent`;
}

/** A call with one contact's data, and the variables of its channel while the runtime has it. */
async function dialWith(rig: SwitchRig, metadata: object): Promise<{ requestId: string; variables: Map<string, string> }> {
  const campaignId = await startCampaign(rig, [{ phoneNumber: customerNumber({ tone: 1_600 }), metadata }]);
  const requestId = await waitUntil('the runtime to be told', async () => {
    const [attempt] = await attemptsOf(rig, campaignId);
    return attempt && rig.runtime.toldAt.has(attempt.requestId) ? attempt.requestId : null;
  });
  const dump = JSON.parse(await rig.cell.api(`uuid_dump ${requestId} json`)) as Record<string, string>;
  const variables = Object.entries(dump).filter(([name]) => name.startsWith('variable_'));
  return { requestId, variables: new Map(variables.map(([name, value]) => [name.slice('variable_'.length), value])) };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
