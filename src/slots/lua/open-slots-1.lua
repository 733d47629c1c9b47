-- Ends COLD, unless the registry has lost its content again since the start of the rebuild.
-- KEYS[1]  prefix of the slot registry
-- ARGV[1]  name of the rebuild
-- Returns  1 open; 0 the rebuild is no longer current
-- Source   A6 step 10
local p = KEYS[1]
if redis.call('GET', p .. 'rebuild') ~= ARGV[1] then return 0 end
redis.call('SET', p .. 'epoch', '1')
redis.call('DEL', p .. 'rebuild')
return 1
