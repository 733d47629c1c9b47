-- Confirms that the calls' actors know their assignment; a call that has changed since is reported again.
-- KEYS[1]  prefix of the monitor registry, m:{m}:
-- ARGV     pairs of call and the fence known to its actor
-- Source   A3
local p = KEYS[1]
for index = 1, #ARGV, 2 do
  local fence = redis.call('HGET', p .. 'call:' .. ARGV[index], 'fence')
  if not fence or tonumber(fence) <= tonumber(ARGV[index + 1]) then redis.call('ZREM', p .. 'ob', ARGV[index]) end
end
return 0
