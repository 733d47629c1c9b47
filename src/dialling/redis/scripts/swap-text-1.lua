-- Reads a text and the time, or replaces the text when it is still what the caller saw.
-- KEYS[1]  the text
-- ARGV     none: read only; else the text seen ('' for none), the new text, its life in ms
-- Returns  1 when replaced, the text before ('' for none), now in ms
local seen = redis.call('GET', KEYS[1]) or ''
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local replaced = 0
if ARGV[1] == seen then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  replaced = 1
end
return { replaced, seen, now }
