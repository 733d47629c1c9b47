import { CalloutError } from '#kernel/errors.ts';
import type { SwitchCell } from './switch-cell.ts';

/** Tasks of this group close the switch; one of them at most waits. */
const GROUP = 'callout-attendance';
/** Set by a configuration that closes itself when nobody is there; on any other switch calls come in without us. */
const ASKED_FOR = 'global_getvar callout_attendance';

/**
 * Opens the switch to what comes in, and has it close itself (503 with Retry-After) after `seconds` unless this is repeated, by any server.
 * Calls under way and calls out go on either way.
 *
 * Why:    the switch alone notices that the last server is gone. Opened each time, so that no race of two servers leaves it closed
 * Errors: SWITCH_UNAVAILABLE
 * Source: mod_commands.c `sched_api`, sofia.c `switch_core_ready_inbound`, docker/freeswitch/freeswitch.xml
 */
export async function attend(cell: Pick<SwitchCell, 'api' | 'state'>, seconds: number): Promise<void> {
  if ((await cell.api(ASKED_FOR)) !== 'true') return;
  // Written together: a connection that is lost between them would leave a switch that never closes.
  const answers = await Promise.all(
    [`sched_del ${GROUP}`, `sched_api +${seconds} ${GROUP} fsctl pause inbound`, 'fsctl resume inbound'].map(line => cell.api(line)),
  );
  if (answers.every(answer => answer.startsWith('+OK'))) return;
  throw new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cell.state.cellId} 的应答无法识别，请稍后重试`);
}
