import type { Role, User } from './records.ts';

/**
 * People who may log in. Deleted ones are not found.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export interface UserStore {
  find(id: number): Promise<Credentials | null>;
  /** Letter case does not count. */
  findByUsername(username: string): Promise<Credentials | null>;
  /** Creates the user only when nobody exists yet; null when somebody does. Servers that start at once create one. */
  createFirst(user: NewUser): Promise<User | null>;
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
}
