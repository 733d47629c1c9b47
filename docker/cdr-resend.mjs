// Resends call detail records that FreeSWITCH could not post and has stored on disk, until they are accepted:
//   node docker/cdr-resend.mjs FOLDER URL [--once]
// FOLDER is mod_json_cdr's err-log-dir. An accepted record is deleted. A rejected one, truncated by a full disk for example, stays and does not hold up
// the records behind it. A server that cannot be reached ends the round.
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROUND_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** A younger record may not be completely written yet. */
const SETTLED_MS = 2_000;
const MAX_PER_ROUND = 1_000;

const [folder = '', url = '', once] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from(`freeswitch:${process.env['CALLOUT_INTERNAL_TOKEN'] ?? ''}`).toString('base64')}`;

for (;;) {
  await round().catch(error => console.error(`cdr-resend: ${error instanceof Error ? error.message : error}`));
  if (once === '--once') break;
  await setTimeout(ROUND_MS);
}

async function round() {
  const names = (await readdir(folder)).filter(name => name.endsWith('.json')).slice(0, MAX_PER_ROUND);
  const refusals = [];
  for (const name of names) {
    const file = join(folder, name);
    if (Date.now() - (await stat(file)).mtimeMs < SETTLED_MS) continue;
    const body = await readFile(file);
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    if (answer.ok) await unlink(file);
    else refusals.push(`${name}: the server answers ${answer.status}`);
  }
  if (refusals.length > 0) console.error(`cdr-resend: ${refusals.length} records stay for the next round; ${refusals[0]}`);
}
