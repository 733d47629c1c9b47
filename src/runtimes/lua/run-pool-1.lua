-- The registered runtimes, stored with the slots: their validity and the calls assigned to each.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  'beat': ARGV[2] runtime id, ARGV[3] its JSON, ARGV[4] validity, ms, ARGV[5] limit of runtimes
--          'bye':  ARGV[2] runtime id
--          'pick': ARGV[2] request id, ARGV[3] JSON { businessCode, resumes, tried[] }
--          'hold': ARGV[2] JSON { runtime id: placeholder JSON of an unregistered one }, ARGV[3] validity, ms, ARGV[4] JSON { request id: runtime id }
--          'note': ARGV[2] JSON of a fact with its limits { kind, runtimeId, businessCode, maxUnanswered, maxSilent, maxUnserved, restsMs, firstPauseMs,
--                  longestPauseMs } (runtimes/decisions/runtime-care.ts)
--          'closed' and 'list': no further arguments
--          'lost': ARGV[2] limit of calls per runtime
-- Returns  beat: 'new', 'known' or 'full'; bye and hold: ''; pick: the runtime that now has the call's place, '' when none;
--          list and lost: JSON [ { member, seenAt, ageMs, isGone, aside, calls, requestIds } ], unordered, times in ms, requestIds only with lost;
--          note: 'aside', 'back', 'closed', 'open' or ''; closed: JSON array of business codes
-- Hash `faults`: 'r:<runtime id>' → '<unanswered starts> <silent calls> <set aside until> <reason>',
--          'b:<business code>' → '<unserved customers> <closed until> <pause, ms> <1 during a trial call>'
-- Source   A5, I9
local p = KEYS[1]
local t = redis.call('TIME')
local now = math.floor((t[1] * 1000000 + t[2]) / 1000)
local poolKey = p .. 'rt'
local command = ARGV[1]

local function read(row)
  local seenAt, untilMs, json = string.match(row, '^(%d+) (%d+) (.*)$')
  return tonumber(seenAt), tonumber(untilMs), json
end

local faultsKey = p .. 'faults'
local FOREVER = 9000000000000000

local hasFaults = redis.call('EXISTS', faultsKey) == 1

-- Reason why the runtime is offered no calls; nil when it is offered calls.
local function asideOf(id)
  if not hasFaults then return nil end
  local untilMs, why = string.match(redis.call('HGET', faultsKey, 'r:' .. id) or '', '^%d+ %d+ (%d+) (%a+)$')
  return untilMs and tonumber(untilMs) > now and why or nil
end

local function noteRuntime(fact)
  local field = 'r:' .. fact.runtimeId
  local unanswered, silent, untilMs, why = string.match(redis.call('HGET', faultsKey, field) or '0 0 0 none', '^(%d+) (%d+) (%d+) (%a+)$')
  unanswered, silent, untilMs = tonumber(unanswered), tonumber(silent), tonumber(untilMs)
  local wasAside, verdict = untilMs > now, ''
  if fact.kind == 'answered' then
    unanswered = 0
    if wasAside and why == 'unanswered' then untilMs, why, verdict = 0, 'none', 'back' end
  elseif fact.kind == 'unanswered' then
    unanswered = unanswered + 1
    if unanswered >= fact.maxUnanswered and not wasAside then untilMs, why, verdict = FOREVER, 'unanswered', 'aside' end
  else
    silent = silent + 1
    if silent >= fact.maxSilent and not wasAside then
      -- After the pause one more silent call is enough.
      untilMs, why, silent, verdict = now + fact.restsMs, 'silent', fact.maxSilent - 1, 'aside'
    end
  end
  if unanswered == 0 and silent == 0 and untilMs <= now then redis.call('HDEL', faultsKey, field)
  elseif redis.call('HEXISTS', poolKey, fact.runtimeId) == 1 then
    redis.call('HSET', faultsKey, field, string.format('%d %d %.0f %s', unanswered, silent, untilMs, why))
  end
  return verdict
end

local function noteUnserved(fact)
  local field = 'b:' .. fact.businessCode
  local unserved, untilMs, pauseMs, isTrial = string.match(redis.call('HGET', faultsKey, field) or '0 0 0 0', '^(%d+) (%d+) (%d+) (%d)$')
  unserved, untilMs, pauseMs = tonumber(unserved) + 1, tonumber(untilMs), tonumber(pauseMs)
  -- Calls from before the closing may still end.
  if untilMs > now and isTrial == '0' then return '' end
  local closes = unserved >= fact.maxUnserved
  if closes then
    pauseMs = pauseMs == 0 and fact.firstPauseMs or math.min(2 * pauseMs, fact.longestPauseMs)
    untilMs, unserved = now + pauseMs, fact.maxUnserved - 1
  end
  redis.call('HSET', faultsKey, field, string.format('%d %.0f %d 0', unserved, untilMs, pauseMs))
  return closes and 'closed' or ''
end

local function noteSpoke(fact)
  local verdict = ''
  if type(fact.runtimeId) == 'string' then
    if asideOf(fact.runtimeId) then verdict = 'back' end
    redis.call('HDEL', faultsKey, 'r:' .. fact.runtimeId)
  end
  local closed = string.match(redis.call('HGET', faultsKey, 'b:' .. fact.businessCode) or '', '^%d+ (%d+)')
  redis.call('HDEL', faultsKey, 'b:' .. fact.businessCode)
  return closed and tonumber(closed) > 0 and 'open' or verdict
end

if command == 'note' then
  local fact = cjson.decode(ARGV[2])
  if fact.kind == 'unserved' then return noteUnserved(fact) end
  if fact.kind == 'spoke' then return noteSpoke(fact) end
  return noteRuntime(fact)
end

if command == 'closed' then
  local codes = {}
  local rows = redis.call('HGETALL', faultsKey)
  for index = 1, #rows, 2 do
    local untilMs = string.match(rows[index + 1], '^%d+ (%d+) %d+ %d$')
    if string.sub(rows[index], 1, 2) == 'b:' and untilMs and tonumber(untilMs) > 0 then codes[#codes + 1] = string.sub(rows[index], 3) end
  end
  if #codes == 0 then return '[]' end
  return cjson.encode(codes)
end

if command == 'beat' then
  local known = redis.call('HGET', poolKey, ARGV[2])
  if not known and redis.call('HLEN', poolKey) >= tonumber(ARGV[5]) then return 'full' end
  redis.call('HSET', poolKey, ARGV[2], string.format('%.0f %.0f %s', now, now + ARGV[4], ARGV[3]))
  if not known then return 'new' end
  local _, untilMs = read(known)
  return untilMs > now and 'known' or 'new'
end

-- Ends the runtime's validity; its calls remain recorded as its own.
if command == 'bye' then
  local known = redis.call('HGET', poolKey, ARGV[2])
  if not known then return '' end
  local seenAt, _, json = read(known)
  redis.call('HSET', poolKey, ARGV[2], string.format('%.0f %.0f %s', seenAt, now, json))
  return ''
end

-- While the registry is COLD a call keeps its runtime. Otherwise a call without a slot has ended, and its place would never be released.
local placeKey = p .. 'place'
local HELD = FOREVER
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
    if untilMs > now and not tried[id] and not asideOf(id) then
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
    answer[#answer + 1] = { member = json, seenAt = seenAt, ageMs = now - seenAt, isGone = isGone, aside = asideOf(id), calls = redis.call('ZCARD', callsKey) }
  elseif isGone then
    local calls = redis.call('ZRANGE', callsKey, 0, ARGV[2] - 1)
    answer[#answer + 1] = { member = json, seenAt = seenAt, ageMs = now - seenAt, isGone = true, calls = redis.call('ZCARD', callsKey) }
    if #calls > 0 then answer[#answer].requestIds = calls
    else
      redis.call('HDEL', poolKey, id)
      redis.call('DEL', callsKey)
      redis.call('HDEL', faultsKey, 'r:' .. id)
    end
  end
end
if #answer == 0 then return '[]' end
return cjson.encode(answer)
