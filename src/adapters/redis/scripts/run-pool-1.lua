-- The runtimes that have registered, beside the slots: who they are until when, and which calls each has been given.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  'beat': ARGV[2] runtime id, ARGV[3] JSON of it, ARGV[4] ms that it is believed, ARGV[5] most runtimes
--          'bye':  ARGV[2] runtime id
--          'pick': ARGV[2] request id, ARGV[3] JSON { businessCode, resumes, tried[] }
--          'hold': ARGV[2] JSON of { runtime id: JSON of it while nothing was heard }, ARGV[3] ms that it is believed, ARGV[4] JSON of { request id: runtime id }
--          'list': nothing
--          'lost': ARGV[2] most calls of each
-- Returns  beat: 'new', 'known' or 'full'; bye and hold: nothing; pick: the runtime that has the call's place now, '' when none has;
--          list and lost: JSON [ { member, seenAt, ageMs, isGone, calls, requestIds } ], in no order, times in ms, requestIds with lost alone
-- Source   A5
local p = KEYS[1]
local t = redis.call('TIME')
local now = math.floor((t[1] * 1000000 + t[2]) / 1000)
local poolKey = p .. 'rt'
local command = ARGV[1]

local function read(row)
  local seenAt, untilMs, json = string.match(row, '^(%d+) (%d+) (.*)$')
  return tonumber(seenAt), tonumber(untilMs), json
end

if command == 'beat' then
  local known = redis.call('HGET', poolKey, ARGV[2])
  if not known and redis.call('HLEN', poolKey) >= tonumber(ARGV[5]) then return 'full' end
  redis.call('HSET', poolKey, ARGV[2], string.format('%.0f %.0f %s', now, now + ARGV[4], ARGV[3]))
  if not known then return 'new' end
  local _, untilMs = read(known)
  return untilMs > now and 'known' or 'new'
end

-- It is believed no longer; its calls are still known as its own.
if command == 'bye' then
  local known = redis.call('HGET', poolKey, ARGV[2])
  if not known then return '' end
  local seenAt, _, json = read(known)
  redis.call('HSET', poolKey, ARGV[2], string.format('%.0f %.0f %s', seenAt, now, json))
  return ''
end

-- Beside the slots: a call keeps its runtime while the registry is COLD; later one without a slot is over, and nobody would ever give its place back.
local placeKey = p .. 'place'
local HELD = 9000000000000000
local isCold = redis.call('EXISTS', p .. 'epoch') == 0
local function place(requestId, id)
  local kept = redis.call('HGET', placeKey, requestId) or nil
  local slot = redis.call('ZSCORE', p .. 'exp', requestId)
  if not slot and not isCold then id = nil end
  if kept == id then return end
  if kept then redis.call('ZREM', p .. 'rt:' .. kept, requestId) end
  if id then
    redis.call('HSET', placeKey, requestId, id)
    redis.call('ZADD', p .. 'rt:' .. id, slot or HELD, requestId)
  else redis.call('HDEL', placeKey, requestId) end
end

if command == 'hold' then
  for id, json in pairs(cjson.decode(ARGV[2])) do
    redis.call('HSETNX', poolKey, id, string.format('%.0f %.0f %s', now, now + ARGV[3], json))
  end
  for requestId, id in pairs(cjson.decode(ARGV[4])) do place(requestId, id) end
  return ''
end

local rows = redis.call('HGETALL', poolKey)

if command == 'pick' then
  local requestId, ask = ARGV[2], cjson.decode(ARGV[3])
  local kept = redis.call('HGET', placeKey, requestId)
  local tried = {}
  for _, id in ipairs(ask.tried) do tried[id] = true end
  local best, bestFree = nil, 0
  for index = 1, #rows, 2 do
    local id = rows[index]
    local _, untilMs, json = read(rows[index + 1])
    if untilMs > now and not tried[id] then
      local m = cjson.decode(json)
      local serves = m.businessCodes == nil
      if not serves then for _, code in ipairs(m.businessCodes) do serves = serves or code == ask.businessCode end end
      if serves and not (ask.resumes and not m.resumes) then
        local free = m.maxCalls - math.max(m.active, redis.call('ZCARD', p .. 'rt:' .. id))
        if id == kept then best, bestFree = id, math.huge
        elseif not m.isDraining and free > bestFree then best, bestFree = id, free end
      end
    end
  end
  place(requestId, best)
  return best or ''
end

local answer = {}
for index = 1, #rows, 2 do
  local id = rows[index]
  local seenAt, untilMs, json = read(rows[index + 1])
  local callsKey = p .. 'rt:' .. id
  local isGone = untilMs <= now
  if command == 'list' then
    answer[#answer + 1] = { member = json, seenAt = seenAt, ageMs = now - seenAt, isGone = isGone, calls = redis.call('ZCARD', callsKey) }
  elseif isGone then
    local calls = redis.call('ZRANGE', callsKey, 0, ARGV[2] - 1)
    answer[#answer + 1] = { member = json, seenAt = seenAt, ageMs = now - seenAt, isGone = true, calls = redis.call('ZCARD', callsKey) }
    if #calls > 0 then answer[#answer].requestIds = calls
    else
      redis.call('HDEL', poolKey, id)
      redis.call('DEL', callsKey)
    end
  end
end
if #answer == 0 then return '[]' end
return cjson.encode(answer)
