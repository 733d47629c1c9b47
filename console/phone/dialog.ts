import type { NameAddrHeader } from 'jssip/lib/NameAddrHeader';
import type { IncomingRequest, IncomingResponse, OutgoingRequest } from 'jssip/lib/SIPMessage';
import { type KeptCall, reinviteHeaders } from './kept-call.ts';

/** The identity of a dialog. Source: RFC 3261 §12 */
export type Dialog = Pick<KeptCall, 'callId' | 'localTag' | 'remoteTag' | 'localUri' | 'remoteUri' | 'target' | 'routes'>;

/** Reads the dialog of an answered call from its INVITE and the ACK, whose To names our tag. */
export function dialogOfIncoming(invite: IncomingRequest, ack: IncomingRequest): Dialog {
  return { ...ends(ack, { local: ack.to, remote: ack.from }), target: targetOf(invite), routes: invite.getHeaders('record-route') };
}

/** Reads the dialog of a call of ours from the switch's answer. */
export function dialogOfOutgoing(answer: IncomingResponse): Dialog {
  const routes = answer.getHeaders('record-route').toReversed();
  return { ...ends(answer, { local: answer.from, remote: answer.to }), target: targetOf(answer), routes };
}

function ends(message: IncomingRequest | IncomingResponse, { local, remote }: { local: NameAddrHeader; remote: NameAddrHeader }) {
  return {
    callId: message.getHeader('call-id'),
    localTag: String(local.getParam('tag')),
    remoteTag: String(remote.getParam('tag')),
    localUri: local.uri.toString(),
    remoteUri: remote.uri.toString(),
  };
}

function targetOf(message: IncomingRequest | IncomingResponse): string {
  return message.parseHeader<NameAddrHeader>('contact').uri.toString();
}

/**
 * Turns an INVITE that is about to be sent into a re-INVITE of the kept dialog.
 *
 * Why: JsSIP cannot restore a call after a reload, but lets the request be changed before it goes out, and reads its dialog from the answer
 */
export function continueDialog(request: OutgoingRequest, kept: KeptCall, now: number): void {
  const { cseq, from, to, callId, routes } = reinviteHeaders(kept, now);
  Object.assign(request, { cseq, call_id: callId });
  request.setHeader('cseq', `${cseq} INVITE`);
  request.setHeader('call-id', callId);
  request.setHeader('from', from);
  request.setHeader('to', to);
  if (routes.length > 0) request.setHeader('route', routes);
}
