-- Releases slots. Releasing twice is harmless, because the sets hold ids, not counts. An unconfirmed slot also returns its planned start.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  'ids': the rest are request ids; 'expired': ARGV[2] = limit of expired reservations to purge
-- Returns  the ids that were held
-- Source   A6 steps 2, 7
local p = KEYS[1]
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local ids = {}
if ARGV[1] == 'expired' then
  ids = redis.call('ZRANGEBYSCORE', p .. 'exp', '-inf', math.floor(nowUs / 1000), 'LIMIT', 0, ARGV[2])
else
  for index = 2, #ARGV do ids[#ids + 1] = ARGV[index] end
end

-- Refunds share, cell rate and campaign interval, which were charged for a dial that will not happen.
local function refund(camp, line, cell, reqKey)
  local plan = redis.call('HMGET', reqKey, 'start', 'gap', 'space', 'cost')
  if not plan[4] then return end
  for _, name in ipairs({ 'line:' .. line, 'cell:' .. cell }) do
    local shareKey = p .. 'share:' .. name
    if redis.call('HEXISTS', shareKey, camp) == 1 then redis.call('HINCRBY', shareKey, camp, '-' .. plan[4]) end
  end
  local rateKey = p .. 'rate:' .. cell
  local rate = tonumber(redis.call('GET', rateKey) or '0')
  if rate > nowUs then redis.call('SET', rateKey, rate - plan[3], 'KEEPTTL') end
  local paceKey = p .. 'pace:' .. camp
  local isLast = tonumber(plan[2]) > 0 and tonumber(redis.call('GET', paceKey) or '0') == plan[1] + plan[2]
  if isLast then redis.call('SET', paceKey, plan[1], 'KEEPTTL') end
end

-- A dial that was never permitted did not leave. One that may have left unseen counts from now on (count-dials-1.lua).
local function uncount(key, requestId)
  local score = tonumber(redis.call('ZSCORE', key, requestId) or '0')
  if score == 9000000000000000 then redis.call('ZREM', key, requestId)
  elseif score > 9000000000000000 then redis.call('ZADD', key, 'XX', string.format('%d', math.floor(nowUs / 1000)), requestId) end
end

local released = {}
-- In reverse order of granting, so that a whole group returns its intervals.
for index = #ids, 1, -1 do
  local requestId = ids[index]
  local reqKey = p .. 'req:' .. requestId
  local req = redis.call('HMGET', reqKey, 'camp', 'line', 'num', 'cell', 'state', 'used')
  if req[1] then
    if req[5] == 'R' then refund(req[1], req[2], req[4], reqKey) end
    redis.call('ZREM', p .. 'camp:' .. req[1], requestId)
    redis.call('ZREM', p .. 'line:' .. req[2], requestId)
    redis.call('ZREM', p .. 'cell:' .. req[4], requestId)
    if req[3] ~= '' then redis.call('ZREM', p .. 'num:' .. req[2] .. ':' .. req[3], requestId) end
    if req[6] and req[6] ~= '' then uncount(p .. 'dials:' .. req[6], requestId) end
    redis.call('DEL', reqKey)
    table.insert(released, 1, requestId)
  end
  -- A call may have a place at a runtime but no slot, if it was assigned while the registry was COLD.
  local runtime = redis.call('HGET', p .. 'place', requestId)
  if runtime then
    redis.call('ZREM', p .. 'rt:' .. runtime, requestId)
    redis.call('HDEL', p .. 'place', requestId)
  end
  redis.call('ZREM', p .. 'exp', requestId)
end
return released
