import { RUNTIME_INBOXES, runtimeInboxPrefix } from './address.ts';
import { BUS_OPERATIONS } from './operations.ts';
import { commandsOf, softphoneCommandsOf } from './subjects.ts';

/** Permissions of a NATS user. */
export interface BusPermissions {
  publish: string[];
  subscribe: string[];
}

/** Reply subjects of servers, and of clients without a NATS user of their own. */
const INBOX = '_INBOX.>';

/** The runtimes' user in docker/nats.conf. A runtime may have a user of its own, which cannot receive replies to other runtimes. */
export const RUNTIME_USER = 'callout-runtime';

/** Service discovery: lets clients find a runtime that registers as a NATS service (ADR-32). */
const DISCOVERY = '$SRV.>';

/** Wildcards that a runtime subscribes to as a whole, so that it also receives commands introduced later. */
const WHOLE = [commandsOf('*'), softphoneCommandsOf('*')];

/** Last tokens of the call commands that the server sends and a runtime answers. */
export const CALL_COMMANDS: readonly string[] = addresses('send').flatMap(subject => nameIn(commandsOf('*'), subject) ?? []);

/** Permissions of a runtime: only its part of the contract. It cannot read captions or replies to others, nor control campaigns. */
export function runtimePermissions(user: string): BusPermissions {
  const inbox = `${runtimeInboxPrefix(user)}.>`;
  return { publish: addresses('receive'), subscribe: [...new Set(addresses('send').map(subscribedAs)), DISCOVERY, inbox] };
}

/** Lets a runtime answer the requests that it receives, and publish nothing else to the requester's inbox. */
export const RUNTIME_RESPONSES = { max: 1, expires: '1m' } as const;

/** Permissions of a server: every subject of Callout, and JetStream for the durable inbox. */
export const SERVER_PERMISSIONS: BusPermissions = {
  publish: ['callout.v1.>', '$JS.API.>', '$JS.ACK.>', INBOX, `${RUNTIME_INBOXES}.>`],
  subscribe: ['callout.v1.>', INBOX],
};

function addresses(action: 'send' | 'receive'): string[] {
  const own = BUS_OPERATIONS.filter(operation => operation.peer === 'runtime' && operation.action === action);
  return [...new Set(own.map(({ address }) => address.replaceAll(/\{\w+\}/g, '*')))];
}

function subscribedAs(subject: string): string {
  return WHOLE.find(pattern => nameIn(pattern, subject) !== null) ?? subject;
}

/** Last token of a subject that the pattern matches; null when it does not match. */
function nameIn(pattern: string, subject: string): string | null {
  const before = pattern.slice(0, -1);
  return subject.startsWith(before) ? subject.slice(before.length) : null;
}
