-- Books the instant at which each dial may be sent to its cell, spaced by the call interval within a campaign and by the cell's rate within a cell.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  slack, ms: a dial may be sent this long after its instant
-- ARGV[2…] per dial: request id, ms within which it must be sent, its own slack in ms (≥ ARGV[1]), channel among those of the slot or '',
--          cell of a channel without a slot or '', originates per second of that cell
-- Returns  per dial: -1, 0 gone (not confirmed, released, rebuilt or COLD); 0, us: booked, send in so many us; 1, us: not booked, retry after so many us
-- Source   A10 "a cell's maxOriginatesPerSecond is respected"; D5.3 callIntervalMs
--
-- A dial whose own slack exceeds ARGV[1] by d delays by d the dials of its cell that are booked half a second later, or requested later; dials
-- requested together cause one delay. So among dials sent within one second, the first was booked at most one second, ARGV[1] and its delay before
-- the last, whatever their own slack: there are never more than (1 s + ARGV[1]) / space of them. Without the delay, an instance that lags could
-- book an extra second for every few dials that it has missed.
local p = KEYS[1]
local slack = ARGV[1] * 1000
local TTL_MS = 60000
-- A pending delay is applied before a booking that lies further than this from the first dial with a delay.
local RUN_US = 500000
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local cold = redis.call('EXISTS', p .. 'epoch') == 0

-- The first free instant. The dial with the latest booking may book again from its own place.
local function fence(key, dial)
  local held = redis.call('HMGET', key, 'next', 'id', 'before')
  local from = held[2] == dial and held[3] or held[1]
  return math.max(nowUs, tonumber(from or '0'))
end

local function book(key, dial, from, upTo)
  redis.call('HSET', key, 'next', upTo, 'id', dial, 'before', from)
  redis.call('PEXPIRE', key, math.ceil((upTo - nowUs) / 1000) + TTL_MS)
end

-- Pending delays of this call by cell: number of dials, largest delay, and instant of the first dial.
local owed = {}

local function push(key)
  local late = owed[key]
  if not late then return end
  owed[key] = nil
  redis.call('HINCRBY', key, 'next', string.format('%d', late.more))
  -- A dial that books again may take back only its own delay.
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
    req = redis.call('HMGET', p .. 'req:' .. requestId, 'state', 'camp', 'cell', 'gap', 'space', 'used')
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
  -- Do not reserve a place within the cell's rate while the campaign waits for its own interval.
  if campaignFrom > cellFrom + slack or at - nowUs > withinUs then return 1, at - nowUs end
  book(cellKey, dial, cellFrom, at + req[5])
  owe(cellKey, at, more)
  if gap > 0 then book(campaignKey, dial, campaignFrom, at + gap + more) end
  -- From now on the dial counts at its instant (reserve-slots-1.lua).
  if req[6] and req[6] ~= '' then redis.call('ZADD', p .. 'dials:' .. req[6], 'XX', string.format('%d', math.floor(at / 1000)), requestId) end
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
