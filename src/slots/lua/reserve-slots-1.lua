-- Grants slots in one step, up to the requested number, within every limit. Campaigns that share a line or a cell take turns by weight.
-- KEYS[1]  prefix of the slot registry, s:{s}:
-- ARGV[1]  JSON: campaignId, weight, campaignMax, needsMonitor, runtime, callIntervalMs, leaseMs, horizonMs, slackMs, startsNow, days[], lines[], cells[], avoid[], wishes[], requestIds[] (slots/slot-registry.ts)
-- Before   caller-numbers-1.lua: dialsOfNumbers, bestTier, tierOf
-- Returns  JSON: grants[] { requestId, lineId, number, cellId, startsInMs }, refusal, retryInMs, yieldTo[]; with needsMonitor also watchable: number of
--          further calls that monitors could watch; uncounted[]: bounded numbers whose dials count-dials-1.lua must tell first
-- Why      with `runtime` each dial also reserves a place at a runtime of the pool (run-pool-1.lua), at the one with most free places
-- Source   A5, A6 step 2; OCS 4.12 rule 4; D4.3 smooth weighted round robin; D4.7 bounds of numbers; D4.8 order of choice
local p = KEYS[1]
local ask = cjson.decode(ARGV[1])
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local now = math.floor(nowUs / 1000)
local horizonUs = ask.horizonMs * 1000
-- A refused campaign counts as waiting for WAIT_MS, and is told to retry earlier.
local WAIT_MS, RETRY_MS = 4000, 2000
-- A trial call must be answered and accepted within this time; then the next trial is due (runtimes/decisions/runtime-care.ts).
local TRIAL_MS = 60000
local UNIT, SHARE_TTL_MS, MAX_TAGS, MAX_YIELDS = 1000000, 600000, 1000, 8

if redis.call('EXISTS', p .. 'epoch') == 0 then
  return cjson.encode({ refusal = 'cold' })
end

local campaign = tostring(ask.campaignId)
local campaignKey = p .. 'camp:' .. campaign
local paceKey = p .. 'pace:' .. campaign
local cost = math.floor(UNIT / ask.weight)
local gapUs = ask.callIntervalMs * 1000
local function count(key) return redis.call('ZCARD', key) end

-- A shared line or cell: free capacity, waiting campaigns, and the position of each in the rotation.
local function share(name, free)
  local r = { name = name, shareKey = p .. 'share:' .. name, waitKey = p .. 'wait:' .. name, free = free, taken = 0, waiters = {} }
  local own = redis.call('HMGET', r.shareKey, 'clock', campaign)
  r.clock, r.tag = tonumber(own[1] or '0'), tonumber(own[2] or '0')
  local rows = redis.call('HGETALL', r.waitKey)
  for index = 1, #rows, 2 do
    local untilMs, itsCost, wanted = string.match(rows[index + 1], '(%d+) (%d+) (%d+)')
    if tonumber(untilMs) <= now then redis.call('HDEL', r.waitKey, rows[index])
    elseif rows[index] == campaign then r.isWaiting = true
    else
      local tag = tonumber(redis.call('HGET', r.shareKey, rows[index]) or '0')
      r.waiters[#r.waiters + 1] = { id = rows[index], cost = tonumber(itsCost), wanted = tonumber(wanted), tag = tag }
    end
  end
  if not r.isWaiting then r.tag = math.max(r.tag, r.clock) end
  return r
end

local function mayTake(r)
  if r.free <= 0 then return false end
  local kept = 0
  for _, w in ipairs(r.waiters) do
    if w.tag < r.tag then kept = kept + math.min(w.wanted, math.ceil((r.tag - w.tag) / w.cost)) end
  end
  return kept < r.free
end

local function take(r)
  r.free, r.room, r.taken = r.free - 1, r.room - 1, r.taken + 1
  r.clock, r.tag = math.max(r.clock, r.tag), r.tag + cost
end

-- Free capacity of a line is limited by its numbers.
local dialled = dialsOfNumbers(p, now, ask.days, RETRY_MS)
local lines = {}
for _, line in ipairs(ask.lines) do
  local left, numbersLeft = line.max - count(p .. 'line:' .. line.lineId), 0
  local isPool = line.mode ~= 'single_shared'
  if isPool then
    for _, n in ipairs(line.numbers) do n.left = n.max - count(p .. 'num:' .. line.lineId .. ':' .. n.number) end
  else line.numbers = { { number = line.sharedNumber, bounds = line.sharedBounds, left = left, weight = 1 } } end
  for _, n in ipairs(line.numbers) do
    n.dials, n.againAt = dialled.left(n.number, n.bounds)
    numbersLeft = numbersLeft + math.max(0, math.min(n.left, n.dials))
  end
  local r = share('line:' .. line.lineId, math.min(left, numbersLeft))
  r.line, r.isPool, r.room = line, isPool, left
  lines[#lines + 1] = r
end

-- Free capacity of a cell is limited by its channels and by its starts within the horizon.
local cells = {}
for _, cell in ipairs(ask.cells) do
  local key = p .. 'rate:' .. cell.cellId
  local room = (cell.max == 0 and 1000000 or cell.max) - count(p .. 'cell:' .. cell.cellId)
  -- FreeSWITCH with a limit of N sessions per second admits N-1; each start may be late by the slack
  local space = math.floor((1000000 + ask.slackMs * 1000) / math.max(1, cell.maxPerSecond - 1)) + 1
  local nextStart = math.max(nowUs, tonumber(redis.call('GET', key) or '0'))
  local starts = math.max(0, math.floor((nowUs + horizonUs - nextStart) / space) + 1)
  -- A dial that a user waits for takes no planned start: permit-dials enforces the rate.
  local r = share('cell:' .. cell.cellId, ask.startsNow and room or math.min(room, starts))
  r.cell, r.room, r.rateKey, r.space, r.nextStart = cell, room, key, space, nextStart
  cells[#cells + 1] = r
end

-- Smooth weighted round robin among the numbers of the best tier below their limits; the avoided number is picked only if it is the only one.
local function pickNumber(r, wish, avoided)
  local wrrKey = p .. 'wrr:' .. r.line.lineId
  local tier = wish and bestTier(r, wish, avoided) or OF_ANY
  local best, total = nil, 0
  for _, n in ipairs(r.line.numbers) do
    if n.left > 0 and n.dials > 0 and tierOf(n, wish) == tier then
      n.current = (n.current or tonumber(redis.call('HGET', wrrKey, n.number) or '0')) + n.weight
      total = total + n.weight
      if best == nil or best.number == avoided or n.number ~= avoided and n.current > best.current then best = n end
    end
  end
  best.current, best.left, best.dials = best.current - total, best.left - 1, best.dials - 1
  return best.number
end

-- The line whose number meets the wish best, then the one with most free capacity.
local function pickLine(wish, avoided)
  local best, bestRank, isChoice = nil, nil, #lines > 1 and (wish or avoided)
  for _, r in ipairs(lines) do
    if mayTake(r) then
      local rank = 0
      if isChoice then
        local tier, isAvoided = bestTier(r, wish, avoided)
        rank = tier * 2 + (isAvoided and 1 or 0)
      end
      if best == nil or rank < bestRank or rank == bestRank and r.free > best.free then best, bestRank = r, rank end
    end
  end
  return best
end

-- The cell with most free capacity; an unlimited one counts by its current use.
local function pickCell()
  local best = nil
  for _, r in ipairs(cells) do
    if mayTake(r) and (best == nil or r.room > best.room) then best = r end
  end
  return best
end

-- Whether the limit is not the channels of a line or cell, but its numbers or its starts.
local function isShortOtherwise(list)
  for _, r in ipairs(list) do if r.free < r.room then return true end end
  return false
end

-- Whether a line has channels left, but every number of it has made its dials or rests; and when the first may dial again.
local function spentUntil()
  local untilMs, isSpent = nil, false
  for _, r in ipairs(lines) do
    if r.room > 0 then
      for _, n in ipairs(r.line.numbers) do
        if n.dials > 0 then return false end
        isSpent = true
        local at = n.againAt or now + RETRY_MS
        untilMs = math.min(untilMs or at, at)
      end
    end
  end
  return isSpent, untilMs
end

-- Capacity for calls that require a monitor: of monitors whose pages show the campaign, and of all monitors for all such campaigns together.
local function monitorsLeft()
  if not ask.needsMonitor then return math.huge end
  local room, total = 0, 0
  local rows = redis.call('HVALS', p .. 'mon:room')
  for _, row in ipairs(rows) do
    local untilMs, free, pages = string.match(row, '^(%d+) (%d+) (.*)$')
    if tonumber(untilMs) > now then
      total = total + free
      if pages == '' or string.find(pages, ',' .. campaign .. ',', 1, true) then room = room + free end
    end
  end
  local taken = 0
  for _, other in ipairs(redis.call('SMEMBERS', p .. 'mon:camps')) do
    local calls = count(p .. 'camp:' .. other)
    taken = taken + calls
    if calls == 0 then redis.call('SREM', p .. 'mon:camps', other) end
  end
  return math.min(room - count(campaignKey), total - taken)
end

-- Whether dialling for this business is stopped, because no runtime accepts its customers (run-pool-1.lua); after a pause one trial call is allowed.
local isClosed, isTrial, closedField, closedRow = false, false, nil, nil
local hasFaults = ask.runtime and redis.call('EXISTS', p .. 'faults') == 1
if hasFaults then
  closedField = 'b:' .. ask.runtime.businessCode
  local unserved, untilMs, pauseMs = string.match(redis.call('HGET', p .. 'faults', closedField) or '', '^(%d+) (%d+) (%d+) %d$')
  isClosed = untilMs and tonumber(untilMs) > now
  isTrial = untilMs and tonumber(untilMs) > 0 and not isClosed
  if isTrial then closedRow = string.format('%d %.0f %d 1', unserved, now + TRIAL_MS, pauseMs) end
end

-- Runtimes that serve this business, with their free places; nil when none is needed, or when unregistered runtimes accept any number of calls.
local runtimes, isAnyThere = nil, false
if ask.runtime and not (ask.runtime.isOpenEnded and redis.call('EXISTS', p .. 'rt') == 0) then
  runtimes = {}
  local rows = redis.call('HGETALL', p .. 'rt')
  for index = 1, #rows, 2 do
    local untilMs, json = string.match(rows[index + 1], '^%d+ (%d+) (.*)$')
    if tonumber(untilMs) > now then
      local m = cjson.decode(json)
      local serves = m.businessCodes == nil
      if not serves then for _, code in ipairs(m.businessCodes) do serves = serves or code == ask.runtime.businessCode end end
      local asideUntil = hasFaults and string.match(redis.call('HGET', p .. 'faults', 'r:' .. rows[index]) or '', '^%d+ %d+ (%d+) ')
      local isAside = asideUntil and tonumber(asideUntil) > now
      if serves and not m.isDraining and not isAside then
        isAnyThere = true
        runtimes[#runtimes + 1] = { id = rows[index], free = m.maxCalls - math.max(m.active, count(p .. 'rt:' .. rows[index])) }
      end
    end
  end
end

local function pickRuntime()
  local best = nil
  for _, r in ipairs(runtimes) do
    if r.free > 0 and (best == nil or r.free > best.free) then best = r end
  end
  return best
end

local function previousGrant(requestId)
  local held = redis.call('HMGET', p .. 'req:' .. requestId, 'line', 'caller', 'cell', 'start')
  if not held[1] then return nil end
  return { requestId = requestId, lineId = tonumber(held[1]), number = held[2] ~= '' and held[2] or cjson.null, cellId = held[3],
    startsInMs = math.max(0, math.ceil((tonumber(held[4]) - nowUs) / 1000)) }
end

local function grant(requestId, line, cell, runtime, start, choice)
  local lineId, cellId = line.line.lineId, cell.cell.cellId
  local number = line.isPool and pickNumber(line, choice.wish, choice.avoided) or nil
  if not number then line.line.numbers[1].dials = line.line.numbers[1].dials - 1 end
  take(line)
  take(cell)
  if runtime then runtime.free = runtime.free - 1 end
  cell.nextStart = cell.nextStart + cell.space
  local lease = math.floor(start / 1000) + ask.leaseMs
  local held = { campaignKey, p .. 'line:' .. lineId, p .. 'cell:' .. cellId, p .. 'exp' }
  if number then held[#held + 1] = p .. 'num:' .. lineId .. ':' .. number end
  if runtime then held[#held + 1] = p .. 'rt:' .. runtime.id end
  for _, key in ipairs(held) do redis.call('ZADD', key, lease, requestId) end
  local caller = number or line.line.sharedNumber
  if caller == cjson.null or caller == nil then caller = '' end
  redis.call('HSET', p .. 'req:' .. requestId, 'state', 'R', 'caller', caller, 'camp', campaign, 'line', lineId, 'num', number or '',
    'cell', cellId, 'start', start, 'lease', lease, 'gap', gapUs, 'space', cell.space, 'cost', cost,
    'used', dialled.count(caller, requestId))
  if runtime then redis.call('HSET', p .. 'place', requestId, runtime.id) end
  return { requestId = requestId, lineId = lineId, number = caller ~= '' and caller or cjson.null, cellId = cellId,
    startsInMs = math.ceil((start - nowUs) / 1000) }
end

local function entryOf(list, index)
  local entry = list and list[index]
  return entry ~= cjson.null and entry or nil
end

local grants = {}
local refusal, retryIn, waitsFor = nil, nil, nil
local used, watchable = count(campaignKey), monitorsLeft()
local pace = math.max(nowUs, tonumber(redis.call('GET', paceKey) or '0'))

for index, requestId in ipairs(ask.requestIds) do
  local repeated = previousGrant(requestId)
  if repeated then
    grants[#grants + 1] = repeated
  else
    if used >= ask.campaignMax then refusal = 'campaign_full' break end
    if watchable <= 0 then refusal = 'no_monitor' break end
    if isClosed then refusal = 'no_runtime' break end
    local runtime = runtimes and pickRuntime()
    if runtimes and not runtime and not ask.runtime.isOpenEnded then refusal = isAnyThere and 'runtime_full' or 'no_runtime' break end
    if gapUs > 0 and pace - nowUs > horizonUs then refusal, retryIn = 'interval', math.ceil((pace - nowUs - horizonUs) / 1000) break end
    local choice = { avoided = entryOf(ask.avoid, index), wish = entryOf(ask.wishes, index) }
    local line = pickLine(choice.wish, choice.avoided)
    if not line then
      local isSpent, untilMs = spentUntil()
      if isSpent then refusal, retryIn = 'number_cap', math.max(1, untilMs - now)
      else refusal, waitsFor = isShortOtherwise(lines) and 'number_full' or 'line_full', lines end
      break
    end
    if #cells == 0 then refusal = 'switch_unreachable' break end
    local cell = pickCell()
    if not cell then refusal, waitsFor = isShortOtherwise(cells) and 'interval' or 'cell_full', cells break end
    local start = ask.startsNow and nowUs or cell.nextStart
    if gapUs > 0 then
      start = math.max(start, pace)
      pace = start + gapUs
    end
    used, watchable = used + 1, watchable - 1
    grants[#grants + 1] = grant(requestId, line, cell, runtime, start, choice)
    if isTrial then
      redis.call('HSET', p .. 'faults', closedField, closedRow)
      isClosed = true
    end
  end
end

-- A campaign stopped by its lines or its cells is recorded as waiting there, and only there.
local function remember(list)
  for _, r in ipairs(list) do
    local waits = waitsFor == list
    if waits then
      redis.call('HSET', r.waitKey, campaign, string.format('%d %d %d', now + WAIT_MS, cost, #ask.requestIds - #grants))
      redis.call('PEXPIRE', r.waitKey, WAIT_MS)
    elseif r.isWaiting then redis.call('HDEL', r.waitKey, campaign) end
    if waits or r.taken > 0 then
      if redis.call('HLEN', r.shareKey) > MAX_TAGS then
        redis.call('DEL', r.shareKey)
        for _, w in ipairs(r.waiters) do redis.call('HSET', r.shareKey, w.id, w.tag) end
      end
      redis.call('HSET', r.shareKey, 'clock', r.clock, campaign, r.tag)
      redis.call('PEXPIRE', r.shareKey, SHARE_TTL_MS)
    end
  end
end

-- Free slots reserved for other campaigns are useful only if those campaigns are woken.
local yieldTo, listed = {}, {}
local function yield(list)
  for _, r in ipairs(list) do
    table.sort(r.waiters, function(a, b) return a.tag < b.tag or a.tag == b.tag and tonumber(a.id) < tonumber(b.id) end)
    for index, w in ipairs(r.waiters) do
      if index > r.free or #yieldTo >= MAX_YIELDS then break end
      if not listed[w.id] then yieldTo[#yieldTo + 1], listed[w.id] = tonumber(w.id), true end
    end
  end
end

if ask.needsMonitor and used > 0 then redis.call('SADD', p .. 'mon:camps', campaign) end
remember(lines)
remember(cells)
yield(lines)
yield(cells)
for _, r in ipairs(lines) do
  for _, n in ipairs(r.line.numbers) do
    if n.current then redis.call('HSET', p .. 'wrr:' .. r.line.lineId, n.number, n.current) end
  end
  if r.taken > 0 and r.isPool then redis.call('PEXPIRE', p .. 'wrr:' .. r.line.lineId, 86400000) end
end
for _, r in ipairs(cells) do
  if r.taken > 0 then redis.call('SET', r.rateKey, r.nextStart, 'PX', ask.horizonMs + 60000) end
end
if gapUs > 0 and #grants > 0 then redis.call('SET', paceKey, pace, 'PX', ask.callIntervalMs + ask.horizonMs + 60000) end
if waitsFor and retryIn == nil then retryIn = RETRY_MS end

local answer = { refusal = refusal or cjson.null, retryInMs = retryIn or cjson.null }
if #grants > 0 then answer.grants = grants end
if ask.needsMonitor then answer.watchable = math.max(0, watchable) end
if #yieldTo > 0 then answer.yieldTo = yieldTo end
if #dialled.uncounted > 0 then answer.uncounted = dialled.uncounted end
return cjson.encode(answer)
