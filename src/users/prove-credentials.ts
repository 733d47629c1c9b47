import { CalloutError } from '#kernel/errors.ts';
import { networkOf } from '#kernel/network.ts';
import type { LoginLimit, LoginTry } from '#access/login-limit.ts';
import type { AccessAuditDeps } from '#audit/access-audit.ts';
import { anonymousCaller, type CallerOrigin } from '#kernel/caller.ts';
import type { Passwords } from '#access/passwords.ts';
import type { UserEntity } from './user-rows.ts';

export interface ProofDeps extends AccessAuditDeps {
  loginLimit: LoginLimit;
  passwords: Pick<Passwords, 'inTurn' | 'verify'>;
}

interface Proof {
  attempt: LoginTry;
  password: string;
  /** Finds the user that the password should belong to. */
  find: () => Promise<UserEntity | null>;
}

/**
 * Returns the user who proved their password; null for a wrong password, an unknown or a disabled user, in indistinguishable time.
 *
 * Why:    failures are audited only while the limit still counts them, plus once when blocking starts, so that a flood cannot fill the
 *         audit log
 * Errors: RATE_LIMITED after too many failures
 * Source: D3.3, D3.7
 */
export async function proveCredentials(deps: ProofDeps, proof: Proof, origin: CallerOrigin): Promise<UserEntity | null> {
  // A blocked client does not queue; it is checked again in its turn, because others of its attempts may have failed meanwhile.
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

/** Most characters kept of an attempted username: it may be a password typed into the wrong field, or anything else. */
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
