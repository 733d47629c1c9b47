import { RUNTIME_INBOXES, runtimeInboxPrefix } from './address.ts';
import { BUS_OPERATIONS } from './operations.ts';
import { commandsOf, softphoneCommandsOf } from './subjects.ts';

/** What a user of NATS is granted. */
export interface BusPermissions {
  publish: string[];
  subscribe: string[];
}

/** Where servers hear answers, and all who have no user of their own. */
const INBOX = '_INBOX.>';

/** The user of docker/nats.conf; each runtime may have one of its own, which hears none of the others' answers. */
export const RUNTIME_USER = 'callout-runtime';

/** Who looks for services on the bus may find it (NATS ADR-32). */
const DISCOVERY = '$SRV.>';

/** What a runtime subscribes to as a whole, so that it hears commands that it does not know yet. */
const WHOLE = [commandsOf('*'), softphoneCommandsOf('*')];

/** The last words of the commands of a call that a server sends: those that a runtime answers. */
export const CALL_COMMANDS: readonly string[] = addresses('send').flatMap(subject => nameIn(commandsOf('*'), subject) ?? []);

/** What a runtime needs: its part of the contract, and nothing else. It reads no captions and nobody else's answers, and moves no campaign. */
export function runtimePermissions(user: string): BusPermissions {
  const inbox = `${runtimeInboxPrefix(user)}.>`;
  return { publish: addresses('receive'), subscribe: [...new Set(addresses('send').map(subscribedAs)), DISCOVERY, inbox] };
}

/** Answers to what it was asked, and nothing else under the asker's inbox. */
export const RUNTIME_RESPONSES = { max: 1, expires: '1m' } as const;

/** What a server needs: all of Callout, and the durable inbox. */
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

/** The last word of a subject that the pattern covers; null: it does not. */
function nameIn(pattern: string, subject: string): string | null {
  const before = pattern.slice(0, -1);
  return subject.startsWith(before) ? subject.slice(before.length) : null;
}
