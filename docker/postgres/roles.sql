-- Database roles: callout_owner owns and migrates the schema; callout_app is used by the servers and may only change rows.
-- The PostgreSQL image runs this once, in a new database. Elsewhere run it in the product's database as a superuser; it can be repeated:
--   DATABASE_OWNER_PASSWORD=… DATABASE_APP_PASSWORD=… psql -d callout -f docker/postgres/roles.sql
-- No extension is needed.
\set ON_ERROR_STOP on
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv app_password DATABASE_APP_PASSWORD

begin;

select format('create role %I', name) from unnest(array['callout_owner', 'callout_app']) as name
 where not exists (select from pg_roles where rolname = name) \gexec
alter role callout_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'owner_password';
alter role callout_app login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'app_password';

-- The owner of the database also owns its schema `public`. No other role may create anything, not even a temporary table.
select format('alter database %I owner to callout_owner', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to callout_app', current_database()) \gexec
alter schema public owner to callout_owner;
revoke all on schema public from public;
grant usage on schema public to callout_app;

-- Objects that a superuser has created in earlier migrations.
select format('alter table public.%I owner to callout_owner', relname) from pg_class
 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') \gexec
select format('alter routine %s owner to callout_owner', oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace \gexec
grant select, insert, update, delete on all tables in schema public to callout_app;
grant usage on all sequences in schema public to callout_app;

-- Objects that the owner will create.
alter default privileges for role callout_owner in schema public grant select, insert, update, delete on tables to callout_app;
alter default privileges for role callout_owner in schema public grant usage on sequences to callout_app;

commit;
