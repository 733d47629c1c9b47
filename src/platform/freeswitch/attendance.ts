import { CalloutError } from '#kernel/errors.ts';
import type { SwitchCell } from './switch-cell.ts';

/** Group of the task that closes the switch. */
const GROUP = 'callout-attendance';
/** Set by a configuration that starts closed; any other switch may take calls that are none of ours, and stays as it is. */
const ASKED_FOR = 'global_getvar callout_attendance';

/**
 * Opens the switch to incoming requests, and schedules that it closes (503 with Retry-After) after `seconds` unless any server renews this.
 * Calls in progress and outgoing calls are not affected.
 *
 * Why:    only the switch can notice that the last server is gone. Opening it with each renewal heals a race of two servers
 * Errors: SWITCH_UNAVAILABLE
 * Source: mod_commands.c `sched_api`, sofia.c `switch_core_ready_inbound`, docker/freeswitch/freeswitch.xml
 */
export async function attend(cell: Pick<SwitchCell, 'api' | 'state'>, seconds: number): Promise<void> {
  if ((await cell.api(ASKED_FOR)) !== 'true') return;
  // Written at once: a connection lost in between would leave a switch that never closes.
  const answers = await Promise.all(
    [`sched_del ${GROUP}`, `sched_api +${seconds} ${GROUP} fsctl pause inbound`, 'fsctl resume inbound'].map(line => cell.api(line)),
  );
  if (answers.every(answer => answer.startsWith('+OK'))) return;
  throw new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cell.state.cellId} 的应答无法识别，请稍后重试`);
}
