import type { NodeWalk } from '../walk-scope.ts';
import { chat } from './chat.ts';
import { collect } from './collect.ts';
import { end } from './end.ts';
import { router } from './router.ts';
import { send } from './send.ts';
import { start } from './start.ts';
import { transfer } from './transfer.ts';

/** Every node type of a script. Source: OCS 4.3 */
export const NODE_TABLE: Readonly<Record<string, NodeWalk>> = { start, send, collect, router, chat, end, transfer };
