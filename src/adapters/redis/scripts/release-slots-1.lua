-- Gives slots back. Releasing twice is harmless: the sets hold ids, not counts.
-- KEYS[1]  prefix of the slot book
-- ARGV[1]  'ids': the rest are request ids; 'expired': ARGV[2] = most to purge of the reservations whose lease ended
-- Returns  the ids that were held
-- Source   A6 steps 2, 7
local p = KEYS[1]
local ids = {}
if ARGV[1] == 'expired' then
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  ids = redis.call('ZRANGEBYSCORE', p .. 'exp', '-inf', now, 'LIMIT', 0, ARGV[2])
else
  for index = 2, #ARGV do ids[#ids + 1] = ARGV[index] end
end

local released = {}
for _, requestId in ipairs(ids) do
  local reqKey = p .. 'req:' .. requestId
  local req = redis.call('HMGET', reqKey, 'camp', 'line', 'num', 'cell')
  if req[1] then
    redis.call('ZREM', p .. 'camp:' .. req[1], requestId)
    redis.call('ZREM', p .. 'line:' .. req[2], requestId)
    redis.call('ZREM', p .. 'cell:' .. req[4], requestId)
    if req[3] ~= '' then redis.call('ZREM', p .. 'num:' .. req[2] .. ':' .. req[3], requestId) end
    redis.call('DEL', reqKey)
    released[#released + 1] = requestId
  end
  redis.call('ZREM', p .. 'exp', requestId)
end
return released
