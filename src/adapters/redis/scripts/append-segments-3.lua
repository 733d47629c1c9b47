-- Appends captions to a live call, each a version of its own; a later text of the same caption replaces the earlier one in its place.
-- KEYS[1]  actor hash
-- KEYS[2]  captions: LIST of JSON lists in the order of their first texts; the id stands first, the text third, its final fourth
-- KEYS[3]  places: HASH segmentId → place, counted over the whole call. Short values keep it a list pack, as the captions are: half of a hash of bodies
-- ARGV[1]  most captions kept
-- ARGV[2]  life of the captions, ms
-- ARGV[3]  JSON list of captions
-- ARGV[4]  number of the hand-over by which the call is the reporter's; 0: it does not say
-- ARGV[5]  given: the call's meta is to be returned, else ''
-- Returns  { version after the last, meta, accepted... (1|0) }; {} when the call is unknown; { 'stale' } when somebody speaks under a later hand-over
-- Source   A3, A5, D9.1
--
-- Numbers (`seq`) of the call's captions that are known: ranges 'from-to', lowest first, in the actor's field `seqs`. A runtime that counts leaves one
-- range; of one that counts otherwise the highest are known.
local MAX_RANGES = 16
local stored = redis.call('HMGET', KEYS[1], 'version', 'meta', 'place', 'seqs', 'spokenBy')
if not stored[1] then return {} end
local epoch, spokenBy = tonumber(ARGV[4]), tonumber(stored[5] or '0')
if epoch > 0 and epoch < spokenBy then return { 'stale' } end
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

local place = tonumber(stored[3] or '0')
-- Places that are no longer in the list.
local gone = place - redis.call('LLEN', KEYS[2])
local changed = 0
local answer = { 0, ARGV[5] and stored[2] or '' }
for _, caption in ipairs(cjson.decode(ARGV[3])) do
  local id = caption[1]
  local own = redis.call('HGET', KEYS[3], id)
  local index = own and tonumber(own) - gone - 1
  local seq = caption[9] ~= cjson.null and caption[9]
  local fresh = not seq or take(seq)
  local known = fresh and own and redis.call('LINDEX', KEYS[2], index)
  if not fresh then
    -- Reported before, whatever it says.
  elseif known then
    local before = cjson.decode(known)
    -- What was said first comes late: the later text stays.
    local isLate = seq and before[9] ~= cjson.null and seq < before[9]
    fresh = not isLate and (before[3] ~= caption[3] or before[4] ~= caption[4])
    if fresh then redis.call('LSET', KEYS[2], index, cjson.encode(caption)) end
  else
    place = place + 1
    redis.call('RPUSH', KEYS[2], cjson.encode(caption))
    redis.call('HSET', KEYS[3], id, place)
  end
  if fresh then changed = changed + 1 end
  answer[#answer + 1] = fresh and 1 or 0
end
local version = tonumber(stored[1])
if changed > 0 then
  version = version + changed
  redis.call('HSET', KEYS[1], 'version', version, 'place', place)
  if epoch > spokenBy then redis.call('HSET', KEYS[1], 'spokenBy', ARGV[4]) end
  if #ranges > 0 then
    for index, range in ipairs(ranges) do ranges[index] = string.format('%.0f-%.0f', range[1], range[2]) end
    redis.call('HSET', KEYS[1], 'seqs', table.concat(ranges, ' '))
  end
  local extra = redis.call('LLEN', KEYS[2]) - tonumber(ARGV[1])
  if extra > 0 then
    for _, old in ipairs(redis.call('LPOP', KEYS[2], extra)) do redis.call('HDEL', KEYS[3], cjson.decode(old)[1]) end
  end
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
end
answer[1] = version
return answer
