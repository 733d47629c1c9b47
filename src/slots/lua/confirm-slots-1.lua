-- Confirms reservations: the final check of the limits before a dial. Enforces the campaign's call interval roughly, so that no dial is marked
-- long before it may be sent; permit-dials enforces it exactly.
-- KEYS[1]  prefix of the slot registry
-- ARGV     pairs of request id and request id of the contact's last call or ''
-- Returns  per pair: -1 gone (purged, released or COLD), 0 confirmed, n > 0 too early by n ms
-- Source   A6 step 4
local p = KEYS[1]
local HELD = 9000000000000000
-- The last call still holds its slot, since its channel may still exist: confirm again after this time, ms
local LAST_CALL_MS = 1000
local t = redis.call('TIME')
local nowUs = t[1] * 1000000 + t[2]
local cold = redis.call('EXISTS', p .. 'epoch') == 0
local answers = {}

local function confirm(requestId, previousId)
  if cold then return -1 end
  local reqKey = p .. 'req:' .. requestId
  local req = redis.call('HMGET', reqKey, 'state', 'lease', 'gap', 'camp', 'line', 'num', 'cell', 'start')
  if not req[1] then return -1 end
  if req[1] == 'R' and tonumber(req[2]) * 1000 <= nowUs then return -1 end
  if previousId ~= '' and redis.call('EXISTS', p .. 'req:' .. previousId) == 1 then return LAST_CALL_MS end
  if req[1] == 'C' then return 0 end
  if tonumber(req[8]) > nowUs then return math.ceil((tonumber(req[8]) - nowUs) / 1000) end
  local gap = tonumber(req[3])
  if gap > 0 then
    local lastKey = p .. 'last:' .. req[4]
    local earliest = tonumber(redis.call('GET', lastKey) or '0') + gap
    if earliest > nowUs then return math.ceil((earliest - nowUs) / 1000) end
    redis.call('SET', lastKey, nowUs, 'PX', math.ceil(gap / 1000) + 60000)
  end
  redis.call('HSET', reqKey, 'state', 'C')
  redis.call('ZADD', p .. 'camp:' .. req[4], HELD, requestId)
  redis.call('ZADD', p .. 'line:' .. req[5], HELD, requestId)
  redis.call('ZADD', p .. 'cell:' .. req[7], HELD, requestId)
  if req[6] ~= '' then redis.call('ZADD', p .. 'num:' .. req[5] .. ':' .. req[6], HELD, requestId) end
  local runtime = redis.call('HGET', p .. 'place', requestId)
  if runtime then redis.call('ZADD', p .. 'rt:' .. runtime, HELD, requestId) end
  redis.call('ZADD', p .. 'exp', HELD, requestId)
  return 0
end

for index = 1, #ARGV, 2 do answers[#answers + 1] = confirm(ARGV[index], ARGV[index + 1]) end
return answers
