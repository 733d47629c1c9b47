import { Migration } from '@mikro-orm/migrations';
import { dialKey, isRegion, type Region } from '#phone-numbers/dial-key.ts';

/**
 * Compares numbers by a key that the program derives from every spelling; existing rows get it from the same function. Among contacts of a
 * campaign that turn out to have the same number, one remains: the one in a call, else one that was reached, else one that a user has
 * paused, else the one dialled most, else the first. The others are deleted as if by a user. Among several do-not-call entries for a number,
 * the one that blocks longest remains. A runtime event lists what was merged.
 *
 * Why:    two spellings of a number were two contacts, called at the same time, and a ban on one did not apply to the other
 * Source: D6.1, D8.7
 */
export class Migration20261128100000OneKeyOfANumber extends Migration {
  override async up(): Promise<void> {
    const region = await this.#region();
    await this.execute('drop index contact_unique');
    await this.execute('alter table do_not_call drop constraint do_not_call_dial_key_key');
    // Participants called into a conference had no key.
    await this.execute(`update softphone_call s set dial_key = s.phone_number from leg l
      where l.softphone_call_id = s.id and l.role = 'external' and s.direction = 'conference' and s.dial_key = ''`);
    for (const table of TABLES) await this.#rekey(table, region);
    const contacts = await this.#mergeContacts();
    const entries = await this.#mergeEntries();
    await this.execute('create unique index contact_unique on contact (campaign_id, dial_key) where deleted_at is null and not is_repeat');
    await this.execute('alter table do_not_call add constraint do_not_call_dial_key_key unique (dial_key)');
    if (contacts.length > 0 || entries.length > 0) await this.#report(contacts, entries);
  }

  async #region(): Promise<Region> {
    const [row] = await this.#rows<{ region: string | null }>(`select current_setting('callout.region', true) as region`);
    const code = row?.region ?? '';
    return isRegion(code) ? code : 'CN';
  }

  async #rekey(table: Table, region: Region): Promise<void> {
    // The spelling of nearly all rows is converted without the function.
    if (region === 'CN') await this.execute(`update ${table} set dial_key = '+86' || dial_key where dial_key ~ '^1[3-9][0-9]{9}$'`);
    for (let after = 0; ; ) {
      const rows = await this.#rows<Keyed>(
        `select id, phone_number, dial_key from ${table} where id > ? and dial_key <> '' and dial_key !~ '^[+]861[3-9][0-9]{9}$' order by id limit ${BATCH_ROWS}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = Number(last.id);
      const changed = rows.flatMap(row => {
        const key = dialKey(row.phone_number || row.dial_key, region);
        return key === row.dial_key ? [] : [{ id: row.id, key }];
      });
      if (changed.length > 0)
        await this.execute(
          `update ${table} t set dial_key = c.key from jsonb_to_recordset(?::jsonb) as c (id bigint, key text) where t.id = c.id`,
          [JSON.stringify(changed)],
        );
    }
  }

  #mergeContacts(): Promise<Merged[]> {
    return this.#rows<Merged>(`
      with ranked as (
        select k.id, k.campaign_id, k.dial_key, first_value(k.id) over same as kept,
          exists (select 1 from attempt a where a.contact_id = k.id and a.status in ('claimed','dialing','accepted','answered')) as is_busy
        from contact k where k.deleted_at is null
        window same as (partition by k.campaign_id, k.dial_key order by
          exists (select 1 from attempt a where a.contact_id = k.id and a.status in ('claimed','dialing','accepted','answered')) desc,
          k.status = 'completed' desc, k.status = 'paused' desc, k.attempt_count desc, k.id)),
      merged as (
        update contact k set deleted_at = now(), is_repeat = false from ranked r where r.id = k.id and r.kept <> r.id and not r.is_busy
        returning k.id, r.kept, k.campaign_id),
      -- A second one that is in a call at this moment stays until somebody deletes it.
      repeats as (
        update contact k set is_repeat = r.kept <> r.id from ranked r
        where r.id = k.id and (r.is_busy or r.kept = r.id) and k.is_repeat <> (r.kept <> r.id))
      select id, kept, campaign_id from merged order by id`);
  }

  #mergeEntries(): Promise<Merged[]> {
    return this.#rows<Merged>(`
      with ranked as (
        select id, first_value(id) over (partition by dial_key order by expires_at desc nulls first, id) as kept from do_not_call)
      delete from do_not_call d using ranked r where r.id = d.id and r.kept <> r.id returning d.id, r.kept, null as campaign_id`);
  }

  async #report(contacts: readonly Merged[], entries: readonly Merged[]): Promise<void> {
    const named = (merged: readonly Merged[]) =>
      merged
        .slice(0, MAX_NAMED)
        .map(({ id, kept, campaign_id: campaignId }) => ({ id: Number(id), kept: Number(kept), ...(campaignId && { campaignId }) }));
    await this.execute(
      `insert into runtime_event (level, type, title, message, detail) values ('warning', 'numbers.merged', ?, ?, ?::jsonb)`,
      [
        '同一号码的不同写法已合并',
        `合并联系人 ${contacts.length} 个，勿扰条目 ${entries.length} 条：每个号码保留一个，其余联系人已删除，不会再拨`,
        JSON.stringify({
          contacts: contacts.length,
          doNotCall: entries.length,
          mergedContacts: named(contacts),
          mergedEntries: named(entries),
        }),
      ],
    );
  }

  #rows<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.execute(statement, parameters) as Promise<unknown> as Promise<Row[]>;
  }
}

const TABLES = ['contact', 'attempt', 'softphone_call', 'do_not_call'] as const;
type Table = (typeof TABLES)[number];

interface Keyed {
  id: number | string;
  phone_number: string;
  dial_key: string;
}

interface Merged {
  id: number | string;
  /** Id of the row that remains. */
  kept: number | string;
  campaign_id: number | null;
}

const BATCH_ROWS = 5_000;
/** Limit of merged rows listed in the event; it counts the others. */
const MAX_NAMED = 1_000;
