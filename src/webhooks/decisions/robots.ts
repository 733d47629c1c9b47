import { createHmac } from 'node:crypto';
import type { JsonObject } from '#kernel/json.ts';
import type { PeopleMessage } from './people-message.ts';

/** A request to the robot of a chat group. */
export interface RobotRequest {
  url: string;
  body: JsonObject;
}

interface Robot {
  /** Empty secret: the robot asks for no signature. */
  requestOf(address: { url: string; secret: string }, message: PeopleMessage, at: number): RobotRequest;
  /** Reads a refusal from the body, because robots answer 200 to refused messages too; null when the message was accepted. */
  refusalIn(answer: string): string | null;
}

/** Longest message, in bytes of UTF-8; robots refuse longer ones. */
const MAX_FEISHU_BYTES = 18_000;
const MAX_DINGTALK_BYTES = 18_000;
const MAX_WECOM_BYTES = 2_000;

/**
 * The robots of Feishu, DingTalk and WeCom, signed as each documents it.
 *
 * Source: D15.6
 */
export const ROBOTS = {
  feishu: {
    requestOf({ url, secret }, { title, text, link }, at) {
      const timestamp = String(Math.floor(at / 1_000));
      // The text to sign is the key, and what is signed is empty.
      const sign = createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
      const lines = cut(text, MAX_FEISHU_BYTES)
        .split('\n')
        .map(line => [{ tag: 'text', text: line }]);
      const links = link === null ? [] : [[{ tag: 'a', text: link, href: link }]];
      const body = { msg_type: 'post', content: { post: { zh_cn: { title, content: [...lines, ...links] } } } };
      return { url, body: secret === '' ? body : { timestamp, sign, ...body } };
    },
    refusalIn: answer => refusal(answer, 'code', 'msg'),
  },
  dingtalk: {
    requestOf({ url, secret }, message, at) {
      const signed = new URL(url);
      if (secret !== '') {
        signed.searchParams.set('timestamp', String(at));
        signed.searchParams.set('sign', createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64'));
      }
      return { url: signed.href, body: plainText(message, MAX_DINGTALK_BYTES) };
    },
    refusalIn: answer => refusal(answer, 'errcode', 'errmsg'),
  },
  wecom: {
    // The key in the address is all that WeCom asks for.
    requestOf: ({ url }, message) => ({ url, body: plainText(message, MAX_WECOM_BYTES) }),
    refusalIn: answer => refusal(answer, 'errcode', 'errmsg'),
  },
} as const satisfies Record<string, Robot>;

export type RobotKind = keyof typeof ROBOTS;

export function isRobot(kind: string): kind is RobotKind {
  return Object.hasOwn(ROBOTS, kind);
}

function plainText({ title, text, link }: PeopleMessage, maxBytes: number): JsonObject {
  const content = [title, text, link ?? ''].filter(part => part !== '').join('\n');
  return { msgtype: 'text', text: { content: cut(content, maxBytes) } };
}

/** At most so many bytes; a character is not cut in two. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes
    ? text
    : `${bytes
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/\uFFFD$/, '')}…`;
}

function refusal(answer: string, codeName: string, textName: string): string | null {
  const read = parsed(answer);
  const code = read[codeName];
  if (code === 0) return null;
  const text = read[textName];
  return `${typeof code === 'number' ? code : 'no code'}${typeof text === 'string' ? ` ${text}` : ''}`;
}

function parsed(answer: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(answer);
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    // A proxy's page, or nothing.
    return {};
  }
}
