import type { BusOperation } from './bus-operation.ts';
import { commandAnswer, startCommand } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import { programCredentials } from './requests.ts';
import { poolAnswer, poolBye, poolMember, rejectedReport, releaseCommand } from './runtime-pool.ts';
import { emptySignal } from './signals.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT, POOL_ROLL_CALL_SUBJECT, poolSubject } from './subjects.ts';

const RUNTIME = '{runtimeId}';
const member = {
  name: 'RuntimePoolMember',
  schema: poolMember.extend(programCredentials.shape).meta({ description: '话术运行时的自述' }),
  example: EXAMPLES.poolMember,
};
const leaving = {
  name: 'RuntimePoolBye',
  schema: poolBye.extend(programCredentials.shape).meta({ description: '运行时退出' }),
  example: EXAMPLES.poolBye,
};
const answer = { name: 'RuntimePoolAnswer', schema: poolAnswer, example: EXAMPLES.poolAnswer };
const accepted = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** How runtimes register, and what is addressed to one of them. Source: A4 */
export const POOL_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'runtimeHello',
    peer: 'runtime',
    credential: 'internalToken',
    action: 'receive',
    address: POOL_HELLO_SUBJECT,
    carrier: 'request',
    summary: '运行时登记',
    detail:
      '先订阅 callout.v1.runtime-pool.<runtimeId>.start，再发送本请求；应答 ok 后即会收到通话，每 5 秒发送 beat，15 秒没有消息即视为失联。同时以服务名 callout-runtime 应答 $SRV.PING、$SRV.INFO 与 $SRV.STATS（NATS ADR-32，可选）的运行时可用 NATS 自带工具发现。登记的运行时不得再订阅 callout.v1.command.*.start：订阅者被视为名额不限的旧版运行时。',
    en: {
      summary: 'A runtime registers',
      detail:
        'Subscribe to callout.v1.runtime-pool.<runtimeId>.start first, then send this. From the answer ok on, calls may arrive. Send beat every 5 s; after 15 s of silence a runtime is gone. One that also answers $SRV.PING, $SRV.INFO and $SRV.STATS as the service callout-runtime (NATS ADR-32, optional) is found by the tools of NATS. A registered runtime must not subscribe to callout.v1.command.*.start as well: whoever does counts as an older runtime with unlimited places.',
    },
    message: member,
    reply: answer,
  },
  {
    id: 'runtimeBeat',
    peer: 'runtime',
    credential: 'internalToken',
    action: 'receive',
    address: POOL_BEAT_SUBJECT,
    carrier: 'request',
    summary: '运行时的心跳',
    detail: '内容与 hello 相同且必须完整：缓存丢失后由一次心跳恢复。通话数变化不必另行通知。',
    en: {
      summary: 'A runtime is still there',
      detail:
        'As hello, and complete each time: one beat restores what a lost cache has forgotten. A changed number of calls needs no message of its own.',
    },
    message: member,
    reply: answer,
  },
  {
    id: 'runtimeBye',
    peer: 'runtime',
    credential: 'internalToken',
    action: 'receive',
    address: POOL_BYE_SUBJECT,
    carrier: 'request',
    summary: '运行时退出',
    detail: '退出前先以 isDraining 停止接新通话并等待通话结束；仍有通话时发送，则这些通话立即交给其他运行时。',
    en: {
      summary: 'A runtime leaves',
      detail:
        'First say isDraining, take nothing new and wait for the calls to end. Calls that are left when it says bye go to other runtimes at once.',
    },
    message: leaving,
    reply: answer,
  },
  {
    id: 'callRoll',
    peer: 'runtime',
    action: 'send',
    address: POOL_ROLL_CALL_SUBJECT,
    carrier: 'core',
    summary: '点名：请立即发送心跳',
    detail: '服务器启动、缓存丢失或总线恢复后发出。收到后（以及自身重新连接后）立即发送 beat，否则最多 5 秒内不会拨出新的通话。',
    en: {
      summary: 'Roll call: say at once that you are there',
      detail:
        'Sent when a server starts, or the cache was lost, or the bus is back. Send a beat at once, and also after a reconnect of your own; otherwise nothing is dialled for up to 5 s.',
    },
    message: { name: 'Signal', schema: emptySignal, example: {} },
  },
  {
    id: 'startCallAt',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'start'),
    carrier: 'request',
    summary: '把已接通的通话交给预留的运行时',
    detail:
      '须在 1 秒内应答。BUSY、无应答或无法识别的应答：立即交给下一个运行时；INVALID：通话结束，不再交付。接下后立即订阅 callout.v1.command.<requestId>.*。重复到达时应答如前。',
    en: {
      summary: 'An answered call for the runtime that was reserved',
      detail:
        'Answer within 1 s. BUSY, silence or an answer that nobody understands: the next runtime is asked at once. INVALID: the call ends, nobody else is asked. Having taken it, subscribe to callout.v1.command.<requestId>.* at once. A repetition is answered as before.',
    },
    message: { name: 'StartCommand', schema: startCommand, example: EXAMPLES.startAt },
    reply: accepted,
  },
  {
    id: 'releaseCallAt',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'release'),
    carrier: 'core',
    summary: '通话不再属于该运行时',
    detail: '运行时停止该通话的话术，不挂断，不再上报。epoch 小于本命令的上报会被拒绝。',
    en: {
      summary: 'The call is no longer this runtime’s',
      detail: 'Stop its script; neither hang up nor report any more. Reports with an epoch below this one are refused.',
    },
    message: { name: 'ReleaseCommand', schema: releaseCommand, example: EXAMPLES.release },
  },
  {
    id: 'tellRejected',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'rejected'),
    carrier: 'core',
    summary: '一条上报被拒绝',
    detail:
      '上报带有 runtimeId，或其通话属于已登记的运行时时发送；字幕与网页话机的上报每秒至多 20 条，其余上报每秒至多 20 条。同类拒绝每小时告知操作员一次。',
    en: {
      summary: 'A message of yours was rejected',
      detail:
        'Sent when the message carries a runtimeId, or its call is that of a registered runtime; at most 20 a second of captions and softphone reports, and 20 of all others. Operators learn of each kind of rejection once an hour.',
    },
    message: { name: 'RejectedReport', schema: rejectedReport, example: EXAMPLES.rejected },
  },
];
