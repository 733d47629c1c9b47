import { randomBytes } from 'node:crypto';
import { headerOf, type SipHeaders, type SipRequest, tagOf, uriOf } from './message.ts';

/** Identity of a call between the switch and one phone. Addresses are From or To values without a tag. */
export interface Dialog {
  callId: string;
  local: string;
  localTag: string;
  remote: string;
  /** Null until the phone has answered with one. */
  remoteTag: string | null;
  /** URI that requests to the phone name. */
  target: string;
  extension: string;
  /** Number of our last request. */
  sequence: number;
}

export const newTag = (): string => randomBytes(8).toString('hex');

const newBranch = (): string => `z9hG4bK${newTag()}`;

/** Builds a From or To without a tag; a display name keeps no character that would end it. */
export function addressOf(name: string, user: string, realm: string): string {
  const shown = name.replaceAll(/["\\<>\p{Cc}]/gu, '').trim();
  return `${shown === '' ? '' : `"${shown}" `}<sip:${encodeURIComponent(user)}@${realm}>`;
}

/** The dialog of a call to a phone. */
export function callingDialog(parts: { callId: string; local: string; remote: string; contact: string; extension: string }): Dialog {
  const { callId, local, remote, contact: target, extension } = parts;
  return { callId, local, localTag: newTag(), remote, remoteTag: null, target, extension, sequence: 0 };
}

/** The dialog that a phone's INVITE begins; null without a contact, a tag or an offer. */
export function answeringDialog(invite: SipRequest, extension: string): Dialog | null {
  const [from, target] = [headerOf(invite, 'from'), uriOf(headerOf(invite, 'contact'))];
  const remoteTag = tagOf(from);
  if (target === null || remoteTag === null || invite.body === '') return null;
  const remote = `<${uriOf(from) ?? target}>`;
  return {
    callId: headerOf(invite, 'call-id'),
    local: headerOf(invite, 'to'),
    localTag: newTag(),
    remote,
    remoteTag,
    target,
    extension,
    sequence: 0,
  };
}

/** The switch's own contact: requests reach it by the phone's socket, whatever the address says. */
export const OWN_CONTACT = '<sip:callout@callout.invalid;transport=ws>';
export const ALLOWED = 'INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, INFO, REGISTER';
const USER_AGENT = 'callout-simulated-switch';

export interface RequestParts {
  headers?: SipHeaders;
  body?: string;
  /** Branch and number of the INVITE, for its ACK or CANCEL. */
  of?: { branch: string; sequence: number };
}

/** Builds a request within a dialog, or the one that begins it. */
export function requestIn(dialog: Dialog, method: string, { headers = [], body = '', of }: RequestParts = {}): SipRequest {
  const sequence = of?.sequence ?? (dialog.sequence += 1);
  const to = dialog.remoteTag === null || method === 'CANCEL' ? dialog.remote : `${dialog.remote};tag=${dialog.remoteTag}`;
  return {
    kind: 'request',
    method,
    uri: dialog.target,
    headers: [
      ['via', `SIP/2.0/WS callout.invalid;branch=${of?.branch ?? newBranch()}`],
      ['max-forwards', '70'],
      ['from', `${dialog.local};tag=${dialog.localTag}`],
      ['to', to],
      ['call-id', dialog.callId],
      ['cseq', `${sequence} ${method}`],
      ['user-agent', USER_AGENT],
      ...headers,
    ],
    body,
  };
}

/** Headers of every message with a session description. */
export const SESSION_HEADERS: SipHeaders = [
  ['contact', OWN_CONTACT],
  ['allow', ALLOWED],
  ['content-type', 'application/sdp'],
];

/** Whether an offer puts the call on hold: the phone no longer wants to receive. */
export function isHoldOffer(sdp: string): boolean {
  return /^a=(?:sendonly|inactive)\s*$/m.test(sdp);
}

/** Fingerprint of the certificate in a session description; empty when it has none. */
export function fingerprintOf(sdp: string): string {
  return /^a=fingerprint:(\S+ \S+)/m.exec(sdp)?.[1] ?? '';
}

/** Digit of a DTMF by INFO; null for other contents. */
export function digitOf(body: string): string | null {
  return /^\s*Signal\s*=\s*([0-9*#A-D])\s*$/im.exec(body)?.[1] ?? /^\s*([0-9*#A-D])\s*$/.exec(body)?.[1] ?? null;
}
