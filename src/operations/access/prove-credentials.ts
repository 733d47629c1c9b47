import { CalloutError } from '#kernel/errors.ts';
import { networkOf } from '#kernel/network.ts';
import type { UserEntity } from '#model/user.ts';
import type { LoginLimit, LoginTry } from '#adapters/redis/login-limit.ts';
import type { AccessAuditDeps } from './access-audit.ts';
import { anonymousCaller, type CallerOrigin } from './caller.ts';
import type { Passwords } from './password.ts';

export interface ProofDeps extends AccessAuditDeps {
  loginLimit: LoginLimit;
  passwords: Pick<Passwords, 'inTurn' | 'verify'>;
}

interface Proof {
  attempt: LoginTry;
  password: string;
  /** Whose password it should be. */
  find: () => Promise<UserEntity | null>;
}

/**
 * Whoever knows their password; null for a wrong one, nobody, or a user who is disabled, in the same time.
 *
 * Why:    failures leave a row as long as the limit counts them, and one when it begins to block: no flood fills the audit log
 * Errors: RATE_LIMITED after too many failures
 * Source: D3.3, D3.7
 */
export async function proveCredentials(deps: ProofDeps, proof: Proof, origin: CallerOrigin): Promise<UserEntity | null> {
  // Who is blocked takes no turn; and once more within it, since others of theirs may have failed meanwhile.
  await requireNotBlocked(deps, proof.attempt);
  return deps.passwords.inTurn(networkOf(proof.attempt.address), () => prove(deps, proof, origin));
}

async function prove(deps: ProofDeps, { attempt, password, find }: Proof, origin: CallerOrigin): Promise<UserEntity | null> {
  await requireNotBlocked(deps, attempt);
  const found = await find();
  const matches = await deps.passwords.verify(password, found?.passwordHash ?? null);
  if (found?.isEnabled && matches) return found;
  await deps.loginLimit.recordFailure(attempt);
  await auditFailure(deps, attempt, origin, found?.id ?? null);
  return null;
}

async function requireNotBlocked(deps: ProofDeps, attempt: LoginTry): Promise<void> {
  const retryAfterSeconds = await deps.loginLimit.blockedForSeconds(attempt);
  if (retryAfterSeconds !== null) throw new CalloutError('RATE_LIMITED', '登录失败次数过多，请稍后重试', { retryAfterSeconds });
}

/** Characters of a tried name: somebody may have typed a password there, or anything. */
const MAX_TRIED_NAME = 64;

async function auditFailure(deps: ProofDeps, attempt: LoginTry, origin: CallerOrigin, userId: number | null): Promise<void> {
  const caller = anonymousCaller(origin);
  const username = attempt.username.slice(0, MAX_TRIED_NAME).toWellFormed();
  const failed = { action: 'login.failed', targetType: 'user', targetId: userId, summary: '登录失败', detail: { username } } as const;
  await deps.accessAudit.note(caller, failed);
  const blockedSeconds = await deps.loginLimit.blockedForSeconds(attempt);
  if (blockedSeconds === null) return;
  await deps.accessAudit.read(caller, {
    action: 'login.blocked',
    targetType: 'address',
    targetId: networkOf(attempt.address),
    summary: '登录失败次数过多，暂停登录',
    detail: { username, blockedSeconds },
  });
}
