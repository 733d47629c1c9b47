import type { Permission } from '#rules/permissions.ts';
import type { Role } from '#ports/records.ts';

/** Who asks, as every operation sees it, whatever the edge. */
export interface Caller {
  /** Null for the internal token, the system itself and the built-in admin of a server without authentication. */
  userId: number | null;
  /** For audit rows: user name, `internal` or `system`. */
  name: string;
  role: Role | 'internal' | 'system';
  permissions: ReadonlySet<Permission>;
  ip: string | null;
  /** Trace id of the request, in logs and `X-Request-Id`. */
  traceId: string;
}
