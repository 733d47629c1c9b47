-- Conditional commit of an actor: writes snapshot, timers and outbox together, fenced by the version.
-- KEYS     actor hash, due timers (ZSET), outbox order (ZSET), outbox bodies (HASH), live ids (SET); all of one partition
-- ARGV[1]  expected version, 0 = must not exist
-- ARGV[2]  command id
-- ARGV[3]  JSON: id, born?, earlier? [ command ids ], snapshot, meta?, timers { name: delayMs | false }, effects [ { effectId, body } ], effectLeaseMs
-- ARGV[4]  entry of the journal as JSON; '' for an actor without one
-- ARGV[5]  most entries and ARGV[6] most bytes of a journal; what comes after is counted
-- Returns  new version (for a new actor with its `born`) | 0 = conflict, the actor does not exist | { 0, version, snapshot, command ids, meta, born } =
--          conflict: another version, a new actor of this id after a wipe, or only some of the commands were applied before | -version = all were
-- Source   A3, D14.9
--
-- The journal stands in fields of the actor: `j:<version>` is an entry after its instant, `journal` has entries, bytes and entries that were left out.
local KEEP = 8
local expected, commandId = tonumber(ARGV[1]), ARGV[2]
local commit = cjson.decode(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'version', 'commands', 'born', 'journal')
local asked = commit.earlier or {}
asked[#asked + 1] = commandId
local version = tonumber(stored[1] or '0')
local commands = stored[2] and cjson.decode(stored[2]) or {}
local applied = 0
for _, id in ipairs(asked) do
  for _, known in ipairs(commands) do
    if known == id then
      applied = applied + 1
      break
    end
  end
end
if applied == #asked then return -version end
if applied > 0 or version ~= expected or commit.born and commit.born ~= stored[3] then
  if version == 0 then return 0 end
  return { 0, stored[1], redis.call('HGET', KEYS[1], 'snapshot'), stored[2], redis.call('HGET', KEYS[1], 'meta'), stored[3] }
end

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
-- Versions restart after a wipe: the instant distinguishes this timer from one that was set before.
local setting = t[1] .. string.format('%06d', t[2])
for _, id in ipairs(asked) do commands[#commands + 1] = id end
while #commands > KEEP do table.remove(commands, 1) end
version = version + 1
local fields = { 'version', version, 'commands', cjson.encode(commands), 'snapshot', commit.snapshot }
if ARGV[4] ~= '' then
  local entries, bytes, missing = string.match(stored[4] or '0 0 0', '(%d+) (%d+) (%d+)')
  local size = bytes + #ARGV[4]
  if tonumber(entries) < tonumber(ARGV[5]) and size <= tonumber(ARGV[6]) then
    entries = entries + 1
    fields[7], fields[8] = 'j:' .. version, string.format('%.0f ', now) .. ARGV[4]
  else
    size, missing = bytes, missing + 1
  end
  fields[#fields + 1], fields[#fields + 2] = 'journal', string.format('%.0f %.0f %.0f', entries, size, missing)
end
redis.call('HSET', KEYS[1], unpack(fields))
if commit.meta then redis.call('HSET', KEYS[1], 'meta', commit.meta) end
if expected == 0 then
  redis.call('HSET', KEYS[1], 'born', setting)
  redis.call('SADD', KEYS[5], commit.id)
end

for name, delay in pairs(commit.timers or {}) do
  local field = 'timer:' .. name
  local old = redis.call('HGET', KEYS[1], field)
  if old then redis.call('ZREM', KEYS[2], commit.id .. '|' .. name .. '|' .. old) end
  if delay then
    local set = version .. '|' .. setting
    redis.call('ZADD', KEYS[2], now + delay, commit.id .. '|' .. name .. '|' .. set)
    redis.call('HSET', KEYS[1], field, set)
  elseif old then
    redis.call('HDEL', KEYS[1], field)
  end
end

for _, effect in ipairs(commit.effects or {}) do
  local member = commit.id .. '|' .. effect.effectId
  redis.call('ZADD', KEYS[3], now + commit.effectLeaseMs, member)
  redis.call('HSET', KEYS[4], member, effect.body)
end
if expected == 0 then return { version, setting } end
return version
