-- Restores holders while the registry is COLD, from open attempts and channels of the switch, before dispatch resumes.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  name of the rebuild
-- ARGV[2]  JSON: [ { requestId, campaignId, lineId, number, cellId, needsMonitor } ]; null where unknown
-- Returns  number of holders written; 0 when the registry is not COLD or the rebuild is no longer current
-- Source   A6 step 10; OCS 4.12 rule 4
local p = KEYS[1]
local HELD = 9000000000000000
if redis.call('EXISTS', p .. 'epoch') == 1 or redis.call('GET', p .. 'rebuild') ~= ARGV[1] then return 0 end
local function text(value) if value == cjson.null or value == nil then return '' end return tostring(value) end
local written = 0
for _, entry in ipairs(cjson.decode(ARGV[2])) do
  local camp, line, num, cell = text(entry.campaignId), text(entry.lineId), text(entry.number), text(entry.cellId)
  redis.call('HSET', p .. 'req:' .. entry.requestId, 'state', 'C', 'camp', camp, 'line', line, 'num', num, 'cell', cell, 'start', 0, 'lease', HELD, 'gap', 0)
  redis.call('ZADD', p .. 'exp', HELD, entry.requestId)
  if camp ~= '' then redis.call('ZADD', p .. 'camp:' .. camp, HELD, entry.requestId) end
  if camp ~= '' and entry.needsMonitor then redis.call('SADD', p .. 'mon:camps', camp) end
  if line ~= '' then redis.call('ZADD', p .. 'line:' .. line, HELD, entry.requestId) end
  if cell ~= '' then redis.call('ZADD', p .. 'cell:' .. cell, HELD, entry.requestId) end
  if line ~= '' and num ~= '' then redis.call('ZADD', p .. 'num:' .. line .. ':' .. num, HELD, entry.requestId) end
  written = written + 1
end
return written
