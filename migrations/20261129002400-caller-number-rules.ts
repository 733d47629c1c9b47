import { Migration } from '@mikro-orm/migrations';

/**
 * How the caller numbers of a line are spared and chosen.
 *
 * Why:    the defaults leave every line as it was: no cap, no rest, a retry takes another number
 * Source: D4.7, D4.8
 */
export class Migration20261129002400CallerNumberRules extends Migration {
  override up(): void {
    this.addSql(`alter table line add number_rules jsonb not null default '${DEFAULTS}'`);
    this.addSql(`
      alter table line_number add hourly_cap int check (hourly_cap between 1 and 10000),
        add daily_cap int check (daily_cap between 1 and 10000), add resting_until timestamptz(3)`);
  }
}

const DEFAULTS = JSON.stringify({
  hourlyCap: null,
  dailyCap: null,
  restAfterDials: null,
  restMinutes: 10,
  keepsNumber: false,
  prefersPlace: false,
  changesOnRetry: true,
  onFewAnswers: 'off',
  fewAnswersRestHours: 24,
});
