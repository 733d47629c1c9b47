import type { Role, User } from '#model/user.ts';

/**
 * People who may log in. Deleted ones are not found.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export interface UserStore {
  find(id: number): Promise<Credentials | null>;
  /** As `find`, after a change of this user that is under way has ended. */
  findSettled(id: number): Promise<Credentials | null>;
  /** Letter case does not count. */
  findByUsername(username: string): Promise<Credentials | null>;
  create(user: NewUser): Promise<User | 'username_taken'>;
  /** Creates the user only when nobody exists yet; null when somebody does. Servers that start at once create one. */
  createFirst(user: NewUser): Promise<User | null>;
  /**
   * Writes what `decide` makes of the user and of how many other enabled administrators there are; null when the user does not exist.
   *
   * Why: changes of users take turns, so two of them never leave no administrator; `endSessions` runs before the commit and only for a change
   *      that asks for it, so that a change whose sessions could not be ended has not happened
   */
  change(userId: number, decide: DecideUserChange, endSessions: () => Promise<void>): Promise<{ before: User; after: User } | null>;
}

export type DecideUserChange = (current: User, otherAdmins: number) => UserChange;

/** Absent members stay as they are. */
export interface UserChange {
  displayName?: string | undefined;
  role?: Role | undefined;
  isEnabled?: boolean | undefined;
  passwordHash?: string | undefined;
  /** The user's agent is nobody's from then on (D12.1). */
  isDeleted?: true;
  endsSessions: boolean;
}

export interface Credentials {
  user: User;
  /** PHC text, `$argon2id$…`. */
  passwordHash: string;
}

export interface NewUser {
  username: string;
  displayName: string;
  role: Role;
  passwordHash: string;
  isEnabled: boolean;
}
