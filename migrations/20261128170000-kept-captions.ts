import { Migration } from '@mikro-orm/migrations';

/**
 * Tells transcripts that a result brought from captions that were kept because none came.
 *
 * Source: D7.7
 */
export class Migration20261128170000KeptCaptions extends Migration {
  override up(): void {
    this.addSql(`alter table transcript_segment add column source text not null default 'result' check (source in ('result','captions'))`);
  }
}
