-- Appends captions to a live call; each change increases the version by one. A later text of a caption replaces the earlier one in place.
-- KEYS[1]  actor hash
-- KEYS[2]  captions: LIST of JSON arrays in the order of their first texts: [1] id, [3] text, [4] final
-- KEYS[3]  positions: HASH segmentId → position within the whole call. Short values keep it a listpack; storing the bodies here would double it
-- ARGV[1]  limit of stored captions
-- ARGV[2]  time to live of the captions, ms
-- ARGV[3]  epoch of the hand-over that gave the reporter the call; 0: not stated
-- ARGV[4]  1: return the call's meta; else ''
-- ARGV[5]  id of the reporting runtime; '': not stated
-- ARGV[6…] captions, each a JSON array that is stored unchanged; the last item is its number (`seq`) or null
-- Returns  { version after the last, meta, accepted... (1|0) }; {} for an unknown call; { 'stale' } when the reporter does not own the call (actors/call/context.ts isStale)
-- Source   A3, A5, D9.1
--
-- Field `seqs` of the actor: the numbers (`seq`) of received captions as ranges 'from-to', ascending. Consecutive numbers form a single range; of
-- scattered ones only the highest ranges are kept.
local MAX_RANGES = 16
local stored = redis.call('HMGET', KEYS[1], 'version', 'meta', 'place', 'seqs', 'spokenBy', 'snapshot')
if not stored[1] then return {} end
local epoch, spokenBy = tonumber(ARGV[3]), tonumber(stored[5] or '0')

-- Finds members in the actor's JSON by name: quotes inside texts are escaped, and decoding everything costs as much as the caption.
local snapshot = stored[6] or ''
local function numberOf(name) return tonumber(string.match(snapshot, '"' .. name .. '":(%d+)') or '0') end
local function isNotTheirs()
  local owner = string.match(snapshot, '"owner":"([%w_-]+)"')
  local isTaken = string.find(snapshot, '"runtimeTaken":true', 1, true)
  if isTaken and owner and ARGV[5] ~= '' and ARGV[5] ~= owner then return true end
  if not isTaken and ARGV[5] ~= '' then
    local tried = string.match(snapshot, '"tried":%[([^%]]*)%]') or ''
    if string.find(tried, '"' .. ARGV[5] .. '"', 1, true) or epoch > 0 and epoch == numberOf('declinedEpoch') then return true end
  end
  if epoch == 0 then return false end
  local given = numberOf('epoch')
  if epoch == given then return false end
  local hasOwner = string.find(snapshot, '"owner":', 1, true)
  return epoch > given or epoch > numberOf('epochBase') or hasOwner ~= nil or epoch < spokenBy
end
if isNotTheirs() then return { 'stale' } end
-- A runtime that takes over the call starts its own numbering.
if epoch > spokenBy and spokenBy > 0 then stored[4] = '' end
local ranges = {}
for from, to in string.gmatch(stored[4] or '', '(%d+)-(%d+)') do ranges[#ranges + 1] = { tonumber(from), tonumber(to) } end

-- Records a number; returns whether it is new.
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

-- The id is read by pattern unless it contains an escape: decoding a whole caption costs as much as storing it.
local function idOf(caption) return string.match(caption, '^%["([^"\\]*)"') or cjson.decode(caption)[1] end

local place = tonumber(stored[3] or '0')
local kept = redis.call('LLEN', KEYS[2])
-- Number of captions that have been dropped from the start of the list.
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
    -- Reported before: ignored, even if the content differs.
  elseif known then
    local before, after = cjson.decode(known), cjson.decode(caption)
    -- An earlier report arrives late: the later text stays.
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
  -- Refreshed with the first caption and about every fiftieth: these two commands are a tenth of the script's cost.
  if isFirst or place % 50 < changed then
    redis.call('PEXPIRE', KEYS[2], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[2])
  end
end
answer[1] = version
return answer
