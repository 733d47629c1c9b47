import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { conflict } from '#kernel/errors.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v2';
/** Purpose of a sealed text: text sealed for another purpose does not open, as GCM authenticates it. Texts of version 1 have none. */
export type SealUse = 'agent.sipPassword' | 'webhook.secret';

const NOUN_OF: Readonly<Record<SealUse, string>> = { 'agent.sipPassword': 'SIP 密码', 'webhook.secret': '推送密钥' };

/** Encrypts secrets that must be readable again, so that the database alone does not reveal them. */
export interface Seal {
  /** Errors: CONFLICT when no key is configured */
  close(secret: string): string;
  /** Errors: CONFLICT when no key is configured, or a different key than the secret was sealed with */
  open(sealed: string): string;
}

export interface SealPart {
  seal: Seal;
}

/**
 * AES-256-GCM under the configured key, with a new nonce for each text.
 *
 * Shape:  `v2.<nonce>.<tag>.<text>`, base64url
 * Source: D12.2 "passwords", D1.1
 */
export function createSeal(keyHex: string, use: SealUse = 'agent.sipPassword'): Seal {
  const noun = NOUN_OF[use];
  const key = () => {
    if (keyHex === '') throw conflict('SECRET_KEY_MISSING', `未配置加密密钥（agents.secretKey），不能保存或读取${spaced(noun)}`);
    return Buffer.from(keyHex, 'hex');
  };
  return {
    close(secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key(), nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(use));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return [VERSION, ...[nonce, cipher.getAuthTag(), text].map(part => part.toString('base64url'))].join('.');
    },
    open(sealed) {
      const [version = '', nonce = '', tag = '', text = ''] = sealed.split('.');
      const secretKey = key();
      try {
        const decipher = createDecipheriv(CIPHER, secretKey, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES });
        decipher.setAAD(aadOf(version, use)).setAuthTag(Buffer.from(tag, 'base64url'));
        return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
      } catch {
        throw conflict('SECRET_KEY_CHANGED', `${noun}由另一把密钥加密，无法读取，请重新设置`); // the key has changed, or the row was tampered with
      }
    },
  };
}

function aadOf(version: string, use: SealUse): Buffer {
  if (version !== 'v1' && version !== VERSION) throw new Error(`sealed text of an unknown version ${version}`);
  return Buffer.from(version === 'v1' ? '' : use);
}

/** A Latin word stands apart from the Chinese before it. */
function spaced(noun: string): string {
  return /^[A-Z]/.test(noun) ? ` ${noun}` : noun;
}
