-- Copies the monitors' free capacity to the slot registry, which grants dials of strict campaigns; an older copy never replaces a newer one.
-- KEYS[1]  prefix of the slot registry, s:{s}:
-- ARGV[1]  revision of the copy
-- ARGV     then per monitor: user, "<end, ms> <free capacity> <campaigns>"
-- Source   OCS 4.12 rule 4
local p = KEYS[1]
local TTL_MS = 600000
if tonumber(redis.call('GET', p .. 'mon:rev') or '0') >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', p .. 'mon:rev', ARGV[1], 'PX', TTL_MS)
redis.call('DEL', p .. 'mon:room')
for index = 2, #ARGV, 2 do redis.call('HSET', p .. 'mon:room', ARGV[index], ARGV[index + 1]) end
redis.call('PEXPIRE', p .. 'mon:room', TTL_MS)
return 1
