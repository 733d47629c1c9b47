import { z } from 'zod';
import type { AttemptFilter } from '#attempts/attempt-store.ts';
import type { AuditSearch } from '#audit/audit-store.ts';
import type { DoNotCallSearch } from '#do-not-call/do-not-call-store.ts';
import type { RowKind, RowsInput } from '../export.ts';
import { attemptSource, resultSource, transcriptSource } from './call-sources.ts';
import { type ContactExport, contactSource } from './contact-source.ts';
import type { ExportSource } from './export-source.ts';
import { auditSource, doNotCallSource } from './list-sources.ts';
import { vconSource } from './vcon-source.ts';

/** Filters by kind, as `startExport` writes them. */
export interface FilterOf {
  attempts: AttemptFilter;
  contacts: ContactExport;
  results: AttemptFilter;
  transcripts: AttemptFilter;
  vcons: AttemptFilter;
  do_not_call: DoNotCallSearch;
  audit_log: AuditSearch;
}

/** A filter comes back from the job's row as it was written there. */
const written = <Filter>() => z.custom<Filter>(value => typeof value === 'object' && value !== null);

const SOURCES: Readonly<Record<RowKind, (filter: unknown) => ExportSource>> = {
  attempts: filter => attemptSource(written<AttemptFilter>().parse(filter)),
  contacts: filter => contactSource(written<ContactExport>().parse(filter)),
  results: filter => resultSource(written<AttemptFilter>().parse(filter)),
  transcripts: filter => transcriptSource(written<AttemptFilter>().parse(filter)),
  vcons: filter => vconSource(written<AttemptFilter>().parse(filter)),
  do_not_call: filter => doNotCallSource(written<DoNotCallSearch>().parse(filter)),
  audit_log: filter => auditSource(written<AuditSearch>().parse(filter)),
};

export function sourceOf({ kind, filter }: Pick<RowsInput, 'kind' | 'filter'>): ExportSource {
  return SOURCES[kind](filter);
}
