import { invalidInput } from '#kernel/errors.ts';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordProblem } from '#kernel/password-rule.ts';
import { createTurns, type TurnLimits } from '#kernel/turns.ts';

/** OWASP's second choice for argon2id; about 30 ms and 19 MiB per hash. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
/** Source: D3.3 */
const COMMON_PASSWORDS = 10_000;
/** Queue key of hashes that are not computed for a login. */
const OWN = '';

const derive = promisify(argon2);

export interface Passwords {
  /** Shape: PHC text, `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
  hash(password: string): Promise<string>;
  /** Errors: INVALID_ARGUMENT, naming `field`, for an easily guessed password (D3.3) */
  requireFit(chosen: { field: string; password: string; username: string }): Promise<void>;
  /** Compares a password with a hash; null (no such user) takes the same time and returns false. To be called inside `inTurn` only. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /**
   * Runs `work` when few others run, which bounds memory and the number of guesses that pass a limit counted afterwards. Each `network`
   * has its own queue.
   *
   * Errors: RATE_LIMITED when too many wait
   */
  inTurn<T>(network: string, work: () => Promise<T>): Promise<T>;
}

/** Limits of hashing, which shares Node's thread pool with file and DNS work. */
export const HASH_TURNS: TurnLimits = { running: 2, waiting: 64, waitingOfKey: 16, refusal: '登录请求过多，请稍后重试' };

/** Source: D3.3 "indistinguishable time" */
export function createPasswords(): Passwords {
  const inTurn = createTurns(HASH_TURNS);
  const hash = (password: string) => inTurn(OWN, () => format(password, randomBytes(SALT_BYTES)));
  // Computed at start, so that the first login is not slower than others.
  const decoy = hash(randomBytes(SALT_BYTES).toString('hex'));
  return {
    hash,
    async requireFit({ field, password, username }) {
      const problem = passwordProblem(password, username, await commonPasswords());
      if (problem !== null) throw invalidInput([{ field, problem }]);
    },
    async verify(password, expected) {
      const matches = await check(password, expected ?? (await decoy));
      return matches && expected !== null;
    },
    inTurn,
  };
}

/** Returns the most common passwords in lower case. Loaded on demand: passwords are chosen rarely, and the list takes memory. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const commonest = dictionary['passwords-common'].slice(0, COMMON_PASSWORDS);
  return new Set(commonest.map(password => password.toLowerCase()));
}

async function format(password: string, salt: Buffer): Promise<string> {
  const tag = await derive('argon2id', { message: password, nonce: salt, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

async function check(password: string, expected: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(expected) ?? [];
  if (tag === '') return false;
  const wanted = Buffer.from(tag, 'base64');
  const found = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
