-- Books the instant at which each dial may be written to its cell: a call interval apart within its campaign, a space apart within its cell.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  slack, ms: a dial may leave this much after its instant
-- ARGV[2…] for each dial: request id, ms within which it must leave, its own slack in ms (≥ ARGV[1]), which of the slot's channels or '',
--          cell of a channel without a slot or '', originates that it takes in one second
-- Returns  for each dial: -1, 0 gone (not confirmed, released, rebuilt or COLD); 0, us: booked, leave in so many us; 1, us: not booked, ask again after
-- Source   A10 "a cell's maxOriginatesPerSecond is respected"; D5.3 callIntervalMs
--
-- A dial that may be later than others by d pushes whoever follows it in its cell by half a second or is asked for later back by d; dials that
-- come together push once. So of any dials that leave within one second, the first was booked at most one second, ARGV[1] and what it has pushed
-- before the last, whatever their own slack: never more than (1 s + ARGV[1]) / space of them. An instance that lags would else book a
-- second for itself with each few dials that it has missed.
local p = KEYS[1]
local slack = ARGV[1] * 1000
local TTL_MS = 60000
-- A push that is owed for so long is made before the next booking.
local RUN_US = 500000
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local cold = redis.call('EXISTS', p .. 'epoch') == 0

-- The first free instant; a dial that was the last to book books its own place anew.
local function fence(key, dial)
  local held = redis.call('HMGET', key, 'next', 'id', 'before')
  local from = held[2] == dial and held[3] or held[1]
  return math.max(nowUs, tonumber(from or '0'))
end

local function book(key, dial, from, upTo)
  redis.call('HSET', key, 'next', upTo, 'id', dial, 'before', from)
  redis.call('PEXPIRE', key, math.ceil((upTo - nowUs) / 1000) + TTL_MS)
end

-- By the key of a cell: the dials of this call that may be later, by how much at most, and since which instant.
local owed = {}

local function push(key)
  local late = owed[key]
  if not late then return end
  owed[key] = nil
  redis.call('HINCRBY', key, 'next', string.format('%d', late.more))
  -- Whoever books its own place anew takes back its own push alone.
  if late.dials > 1 then redis.call('HDEL', key, 'id') end
end

local function owe(key, at, more)
  local late = owed[key]
  if not late and more > 0 then
    late = { since = at, more = 0, dials = 0 }
    owed[key] = late
  end
  if late then late.more, late.dials = math.max(late.more, more), late.dials + 1 end
end

-- As in reserve-slots.
local function spaceOf(maxPerSecond) return math.floor((1000000 + slack) / math.max(1, maxPerSecond - 1)) + 1 end

local function permit(requestId, withinUs, ownSlack, leg, cell, maxPerSecond)
  local req
  if cell ~= '' then req = { 'C', '', cell, 0, spaceOf(maxPerSecond) }
  else
    req = redis.call('HMGET', p .. 'req:' .. requestId, 'state', 'camp', 'cell', 'gap', 'space')
    if cold or req[1] ~= 'C' or not req[5] then return -1, 0 end
  end
  local gap, more = tonumber(req[4]), math.max(0, ownSlack - slack)
  local cellKey, campaignKey = p .. 'sent:cell:' .. req[3], p .. 'sent:camp:' .. req[2]
  local dial = requestId .. leg
  local cellFrom = fence(cellKey, dial)
  if owed[cellKey] and cellFrom - owed[cellKey].since > RUN_US then
    push(cellKey)
    cellFrom = fence(cellKey, dial)
  end
  local campaignFrom = gap > 0 and fence(campaignKey, dial) or nowUs
  local at = math.max(cellFrom, campaignFrom)
  -- A place in the cell's second is not kept free while the campaign waits for its own interval.
  if campaignFrom > cellFrom + slack or at - nowUs > withinUs then return 1, at - nowUs end
  book(cellKey, dial, cellFrom, at + req[5])
  owe(cellKey, at, more)
  if gap > 0 then book(campaignKey, dial, campaignFrom, at + gap + more) end
  return 0, at - nowUs
end

local answers = {}
for index = 2, #ARGV, 6 do
  local withinUs, ownSlack = ARGV[index + 1] * 1000, ARGV[index + 2] * 1000
  local outcome, us = permit(ARGV[index], withinUs, ownSlack, ARGV[index + 3], ARGV[index + 4], tonumber(ARGV[index + 5]))
  answers[#answers + 1] = outcome
  answers[#answers + 1] = us
end
for key in pairs(owed) do push(key) end
return answers
