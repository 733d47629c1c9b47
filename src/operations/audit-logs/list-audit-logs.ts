import type { AuditSearch, AuditStore } from '#ports/audit-store.ts';
import type { AuditRow, Page, PageRequest } from '#ports/records.ts';

/** Source: OCS 4.1, D3.7 */
export function listAuditLogs(deps: { audit: Pick<AuditStore, 'list'> }, query: PageRequest & AuditSearch): Promise<Page<AuditRow>> {
  return deps.audit.list(query);
}
