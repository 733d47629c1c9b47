-- Appends captions to a live call, each a version of its own; a later text of the same caption replaces the earlier one in its place.
-- KEYS[1]  actor hash
-- KEYS[2]  captions: LIST of JSON lists in the order of their first texts; the id stands first, the text third, its final fourth
-- KEYS[3]  places: HASH segmentId → place, counted over the whole call. Short values keep it a list pack, as the captions are: half of a hash of bodies
-- ARGV[1]  most captions kept
-- ARGV[2]  life of the captions, ms
-- ARGV[3]  number of the hand-over by which the call is the reporter's; 0: it does not say
-- ARGV[4]  1: the call's meta is to be returned, else ''
-- ARGV[5]  who reports; '': it does not say
-- ARGV[6…] captions, each a JSON list, kept as it comes; its number (`seq`) or null stands last
-- Returns  { version after the last, meta, accepted... (1|0) }; {} when the call is unknown; { 'stale' } when the call is not the reporter's (actors/call/context.ts isStale)
-- Source   A3, A5, D9.1
--
-- Numbers (`seq`) of the call's captions that are known: ranges 'from-to', lowest first, in the actor's field `seqs`. A runtime that counts leaves one
-- range; of one that counts otherwise the highest are known.
local MAX_RANGES = 16
local stored = redis.call('HMGET', KEYS[1], 'version', 'meta', 'place', 'seqs', 'spokenBy', 'snapshot')
if not stored[1] then return {} end
local epoch, spokenBy = tonumber(ARGV[3]), tonumber(stored[5] or '0')

-- Reads the actor's JSON by its names: within a text their quotes are escaped, and decoding the whole costs as much as the caption.
local snapshot = stored[6] or ''
local function numberOf(name) return tonumber(string.match(snapshot, '"' .. name .. '":(%d+)') or '0') end
local function isNotTheirs()
  local owner = string.match(snapshot, '"owner":"([%w_-]+)"')
  local isTaken = string.find(snapshot, '"runtimeTaken":true', 1, true)
  if isTaken and owner and ARGV[5] ~= '' and ARGV[5] ~= owner then return true end
  if epoch == 0 then return false end
  local given = numberOf('epoch')
  if epoch == given then return false end
  local hasOwner = string.find(snapshot, '"owner":', 1, true)
  return epoch > given or epoch > numberOf('epochBase') or hasOwner ~= nil or epoch < spokenBy
end
if isNotTheirs() then return { 'stale' } end
-- Whoever has taken the call over counts anew.
if epoch > spokenBy and spokenBy > 0 then stored[4] = '' end
local ranges = {}
for from, to in string.gmatch(stored[4] or '', '(%d+)-(%d+)') do ranges[#ranges + 1] = { tonumber(from), tonumber(to) } end

-- Whether the number is new; then it is known from now on.
local function take(seq)
  local at = 1
  while ranges[at] and ranges[at][2] < seq do at = at + 1 end
  local before, after = ranges[at - 1], ranges[at]
  if after and after[1] <= seq then return false end
  local joinsBefore, joinsAfter = before and before[2] == seq - 1, after and after[1] == seq + 1
  if joinsBefore then before[2] = joinsAfter and table.remove(ranges, at)[2] or seq
  elseif joinsAfter then after[1] = seq
  else table.insert(ranges, at, { seq, seq }) end
  if #ranges > MAX_RANGES then table.remove(ranges, 1) end
  return true
end

-- Without an escape it stands there as it is: decoding a whole caption costs as much as keeping it.
local function idOf(caption) return string.match(caption, '^%["([^"\\]*)"') or cjson.decode(caption)[1] end

local place = tonumber(stored[3] or '0')
local kept = redis.call('LLEN', KEYS[2])
-- Places that are no longer in the list.
local gone = place - kept
local isFirst = kept == 0
local changed = 0
local answer = { 0, ARGV[4] == '1' and stored[2] or '' }
for arg = 6, #ARGV do
  local caption = ARGV[arg]
  local id = idOf(caption)
  local seq = tonumber(string.match(caption, ',(%d+)%]$'))
  local own = redis.call('HGET', KEYS[3], id)
  local index = own and tonumber(own) - gone - 1
  local fresh = not seq or take(seq)
  local known = fresh and own and redis.call('LINDEX', KEYS[2], index)
  if not fresh then
    -- Reported before, whatever it says.
  elseif known then
    local before, after = cjson.decode(known), cjson.decode(caption)
    -- What was said first comes late: the later text stays.
    local isLate = seq and before[9] ~= cjson.null and seq < before[9]
    fresh = not isLate and (before[3] ~= after[3] or before[4] ~= after[4])
    if fresh then redis.call('LSET', KEYS[2], index, caption) end
  else
    place = place + 1
    kept = redis.call('RPUSH', KEYS[2], caption)
    redis.call('HSET', KEYS[3], id, place)
  end
  if fresh then changed = changed + 1 end
  answer[#answer + 1] = fresh and 1 or 0
end
local version = tonumber(stored[1])
if changed > 0 then
  version = version + changed
  local fields = { 'version', version, 'place', place }
  if epoch > spokenBy then
    fields[5], fields[6] = 'spokenBy', ARGV[3]
  end
  if #ranges > 0 then
    for at, range in ipairs(ranges) do ranges[at] = string.format('%.0f-%.0f', range[1], range[2]) end
    fields[#fields + 1], fields[#fields + 2] = 'seqs', table.concat(ranges, ' ')
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  local extra = kept - tonumber(ARGV[1])
  if extra > 0 then
    for _, old in ipairs(redis.call('LPOP', KEYS[2], extra)) do redis.call('HDEL', KEYS[3], idOf(old)) end
  end
  -- With the first, and about every fiftieth: two commands are a tenth of this script.
  if isFirst or place % 50 < changed then
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[2])
  end
end
answer[1] = version
return answer
