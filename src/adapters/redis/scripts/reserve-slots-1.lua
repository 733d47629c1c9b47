-- Grants slots for as many of the wanted dials as every limit allows, in one step.
-- KEYS[1]  prefix of the slot book, s:{s}:
-- ARGV[1]  JSON: campaignId, campaignMax, callIntervalMs, leaseMs, horizonMs, lines[], cells[], requestIds[] (ports/slot-book.ts)
-- Returns  JSON: grants[] { requestId, lineId, number, cellId, startsInMs }, refusal, retryInMs
-- Source   A5, A6 step 2; D4.3 smooth weighted round robin
local p = KEYS[1]
local ask = cjson.decode(ARGV[1])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local grants = {}
local refusal, retryIn = nil, nil

if redis.call('EXISTS', p .. 'epoch') == 0 then
  return cjson.encode({ refusal = 'cold' })
end

local campaignKey = p .. 'camp:' .. ask.campaignId
local paceKey = p .. 'pace:' .. ask.campaignId

local function count(key) return redis.call('ZCARD', key) end

-- Numbers below their cap; of these the smooth weighted round robin picks. The rotation moves only when a grant follows.
local function pickNumber(line)
  local wrrKey = p .. 'wrr:' .. line.lineId
  local best, bestCurrent, total, currents = nil, nil, 0, {}
  for _, n in ipairs(line.numbers) do
    if count(p .. 'num:' .. line.lineId .. ':' .. n.number) < n.max then
      local current = tonumber(redis.call('HGET', wrrKey, n.number) or '0') + n.weight
      currents[n.number] = current
      total = total + n.weight
      if best == nil or current > bestCurrent then best, bestCurrent = n.number, current end
    end
  end
  return best, total, currents, wrrKey
end

local function rotate(best, total, currents, wrrKey)
  for number, current in pairs(currents) do
    redis.call('HSET', wrrKey, number, number == best and current - total or current)
  end
  redis.call('PEXPIRE', wrrKey, 86400000)
end

local function freeLines()
  local free = {}
  for index, line in ipairs(ask.lines) do
    local left = line.max - count(p .. 'line:' .. line.lineId)
    if left > 0 then free[#free + 1] = { line = line, left = left, index = index } end
  end
  table.sort(free, function(a, b) if a.left ~= b.left then return a.left > b.left end return a.index < b.index end)
  return free
end

-- The cell with most room; an unlimited one counts by how little it is used.
local function pickCell()
  local best, bestLeft = nil, nil
  for _, cell in ipairs(ask.cells) do
    local used = count(p .. 'cell:' .. cell.cellId)
    local left = (cell.max == 0 and 1000000 or cell.max) - used
    if left > 0 and (best == nil or left > bestLeft) then best, bestLeft = cell, left end
  end
  return best
end

local function previousGrant(requestId)
  local held = redis.call('HMGET', p .. 'req:' .. requestId, 'line', 'caller', 'cell', 'start')
  if not held[1] then return nil end
  return { requestId = requestId, lineId = tonumber(held[1]), number = held[2] ~= '' and held[2] or cjson.null, cellId = held[3],
    startsInMs = math.max(0, tonumber(held[4]) - now) }
end

for _, requestId in ipairs(ask.requestIds) do
  local repeated = previousGrant(requestId)
  if repeated then
    grants[#grants + 1] = repeated
  else
    if count(campaignKey) >= ask.campaignMax then refusal = 'campaign_full' break end
    local start = now
    if ask.callIntervalMs > 0 then
      start = math.max(now, tonumber(redis.call('GET', paceKey) or '0'))
      if start - now > ask.horizonMs then refusal, retryIn = 'interval', start - now - ask.horizonMs break end
    end

    local lines = freeLines()
    if #lines == 0 then refusal = 'line_full' break end
    local line, number, total, currents, wrrKey = nil, nil, nil, nil, nil
    for _, candidate in ipairs(lines) do
      if candidate.line.mode == 'single_shared' then line = candidate.line break end
      number, total, currents, wrrKey = pickNumber(candidate.line)
      if number then line = candidate.line break end
    end
    if not line then refusal = 'number_full' break end

    if #ask.cells == 0 then refusal = 'switch_unreachable' break end
    local cell = pickCell()
    if not cell then refusal = 'cell_full' break end
    -- vanilla FreeSWITCH with N sessions per second admits N-1
    local spacing = math.ceil(1000 / math.max(1, cell.maxPerSecond - 1))
    local rateKey = p .. 'rate:' .. cell.cellId
    local cellNext = tonumber(redis.call('GET', rateKey) or '0')
    start = math.max(start, cellNext)
    if start - now > ask.horizonMs then refusal, retryIn = 'interval', start - now - ask.horizonMs break end

    redis.call('SET', rateKey, start + spacing, 'PX', ask.horizonMs + 60000)
    if ask.callIntervalMs > 0 then
      redis.call('SET', paceKey, start + ask.callIntervalMs, 'PX', ask.callIntervalMs + ask.horizonMs + 60000)
    end
    if number then rotate(number, total, currents, wrrKey) end
    local lease = start + ask.leaseMs
    local held = { campaignKey, p .. 'line:' .. line.lineId, p .. 'cell:' .. cell.cellId }
    if number then held[#held + 1] = p .. 'num:' .. line.lineId .. ':' .. number end
    for _, key in ipairs(held) do redis.call('ZADD', key, lease, requestId) end
    redis.call('ZADD', p .. 'exp', lease, requestId)
    local caller = number or line.sharedNumber
    if caller == cjson.null or caller == nil then caller = '' end
    redis.call('HSET', p .. 'req:' .. requestId, 'state', 'R', 'caller', caller, 'camp', ask.campaignId, 'line', line.lineId, 'num', number or '',
      'cell', cell.cellId, 'start', start, 'lease', lease, 'gap', ask.callIntervalMs)
    grants[#grants + 1] = { requestId = requestId, lineId = line.lineId, number = caller ~= '' and caller or cjson.null, cellId = cell.cellId, startsInMs = start - now }
  end
end

local answer = { refusal = refusal or cjson.null, retryInMs = retryIn or cjson.null }
if #grants > 0 then answer.grants = grants end
return cjson.encode(answer)
