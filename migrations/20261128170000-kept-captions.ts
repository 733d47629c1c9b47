import { Migration } from '@mikro-orm/migrations';

/**
 * Distinguishes transcripts that came with a result from captions kept because none did.
 *
 * Source: D7.7
 */
export class Migration20261128170000KeptCaptions extends Migration {
  override up(): void {
    this.addSql(`alter table transcript_segment add column source text not null default 'result' check (source in ('result','captions'))`);
  }
}
