import type { Registration } from './switch.ts';
import { CalloutError } from '#kernel/errors.ts';
import { readRows } from './show-rows.ts';
import type { SwitchCell } from './switch-cell.ts';

const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;

/** Phones registered at a cell. Source: test/fixtures/esl/README.md §4 "show registrations as json" */
export async function readRegistrations(cell: Pick<SwitchCell, 'api' | 'state'>): Promise<Registration[]> {
  const rows = readRows(await cell.api('show registrations as json'));
  if (rows === null) throw notUnderstood(cell);
  return rows.flatMap(({ reg_user: extension, realm }) =>
    typeof extension === 'string' && extension !== '' ? [{ extension, realm: typeof realm === 'string' ? realm : '' }] : [],
  );
}

/** Bridges two answered channels. Source: test/fixtures/esl/README.md §4 "uuid_bridge" */
export async function bridgeChannels(
  cell: Pick<SwitchCell, 'api' | 'state'>,
  firstUuid: string,
  secondUuid: string,
): Promise<'bridged' | 'absent'> {
  for (const uuid of [firstUuid, secondUuid]) {
    if (!CHANNEL_ID.test(uuid)) throw new CalloutError('INVALID_ARGUMENT', '参数错误：通道标识格式不正确');
  }
  const answer = await cell.api(`uuid_bridge ${firstUuid} ${secondUuid}`);
  if (answer.startsWith('+OK')) return 'bridged';
  if (/^-ERR (?:Invalid uuid|No such channel)/i.test(answer)) return 'absent';
  throw notUnderstood(cell);
}

function notUnderstood(cell: Pick<SwitchCell, 'state'>): CalloutError {
  return new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cell.state.cellId} 的应答无法识别，请稍后重试`);
}
