-- Notes that calls' actors have heard where the monitor registry has put them; what has changed since is told again.
-- KEYS[1]  prefix of the monitor registry, m:{m}:
-- ARGV     for each: call, fence that its actor has
-- Source   A3
local p = KEYS[1]
for index = 1, #ARGV, 2 do
  local fence = redis.call('HGET', p .. 'call:' .. ARGV[index], 'fence')
  if not fence or tonumber(fence) <= tonumber(ARGV[index + 1]) then redis.call('ZREM', p .. 'ob', ARGV[index]) end
end
return 0
