-- Tells the registry the dials of caller numbers that it has not counted so far; it counts every later one by itself.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  JSON: numbers[]; dials[] { number, requestId, at (absent: claimed, may leave yet) }; holders[] { key, number }: sets of slots held now
-- Returns  1; 0 while COLD, or when nothing is told
-- Why      a member of `dials:<number>` is a request id: telling one twice, or in another order, changes nothing
-- Source   D4.7
local p = KEYS[1]
-- Scores: the instant at which a dial leaves; until that is booked HELD, and DOUBTFUL for one that may have left unseen.
local HELD, DOUBTFUL, KEEP_MS = '9000000000000000', '9000000000000001', 180000000
if redis.call('EXISTS', p .. 'epoch') == 0 then return 0 end
local told = cjson.decode(ARGV[1])

local function tell(number, requestId, score)
  local isKnown = redis.call('EXISTS', p .. 'req:' .. requestId) == 1
  -- A claim without a slot can never be dialled.
  if score == HELD and not isKnown then return end
  redis.call('ZADD', p .. 'dials:' .. number, 'NX', score, requestId)
  if isKnown then redis.call('HSET', p .. 'req:' .. requestId, 'used', number) end
end

for _, dial in ipairs(told.dials) do tell(dial.number, dial.requestId, dial.at and string.format('%.0f', dial.at) or HELD) end
for _, holder in ipairs(told.holders) do
  for _, requestId in ipairs(redis.call('ZRANGE', holder.key, 0, -1)) do tell(holder.number, requestId, DOUBTFUL) end
end
for _, number in ipairs(told.numbers) do
  redis.call('PEXPIRE', p .. 'dials:' .. number, KEEP_MS)
  redis.call('HSET', p .. 'counted', number, 1)
end
return 1
